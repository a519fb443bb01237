import type { UnknownTool } from '../../../../content/tools/unknown-tools.ts';
import type { PlayedStrategy } from '../../../../lab/played/played-strategy.ts';
import type { SessionWorth } from '../../../../lab/played/session-worth.ts';
import type { ReplayResult } from '../../../../replay/result.ts';
import type { SessionFacts } from '../../../options/session-file.ts';
import { hiddenLine, type RedactOptions, redactorOf } from '../../../output/redaction.ts';
import { printJson, terminal } from '../../../terminal/terminal.ts';

/** The fields of `--json`; dollars are null where no price of the model is known. */
export function worthRecord({ calls: _, priceMatch, dollarsRaw, dollars, savedBy, ...worth }: SessionWorth): object {
  const known = (amount: number): number | null => (priceMatch === 'unknown' ? null : amount);
  const causes = Object.entries(savedBy).map(([cause, saved]) => [cause, { ...saved, dollars: known(saved.dollars) }]);
  const money = { dollarsRaw: known(dollarsRaw), dollars: known(dollars), priceMatch };
  return { ...worth, ...money, savedBy: Object.fromEntries(causes) };
}

/** Prints the JSON line of a session under a strategy, if wanted, and returns its result without secrets. */
export async function printedPlay(
  {
    source,
    result,
    worth,
    unknownTools,
  }: PlayedStrategy & { readonly source: SessionFacts; readonly unknownTools: readonly UnknownTool[] },
  options: RedactOptions & { readonly json?: boolean },
): Promise<ReplayResult> {
  const redactor = redactorOf(options);
  const { notes: screen } = terminal();
  // Only notices contain text of the session: they quote the start of dropped messages.
  const { notices: found, ...figures } = result;
  const notices = redactor === undefined ? found : found.map(redactor.label);
  if (options.json) {
    const { name: file, session, readMs, sizeBytes = null } = source;
    const skippedLines = session.skipped.length;
    const secretsHidden = redactor?.hidden ?? null;
    const facts = { file, ...figures, unknownTools, ...(worth && worthRecord(worth)), skippedLines, readMs, sizeBytes };
    await printJson({ ...facts, notices, secretsHidden });
  } else await screen.print(hiddenLine(redactor, screen.colors.dim));
  return { ...result, notices };
}
