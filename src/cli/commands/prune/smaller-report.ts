import type { UnknownTool } from '../../../content/tools/unknown-tools.ts';
import { costRules } from '../../../economics/cost-rules.ts';
import { ratesFor } from '../../../economics/prices.ts';
import { liveHistory } from '../../../formats/contract.ts';
import { recordedLifetimeMs } from '../../../replay/recorded/recorded-lifetime.ts';
import type { SmallerHistory } from '../../../replay/smaller.ts';
import { BASIS } from '../../../report/basis-words.ts';
import { byteSize, dollars } from '../../../report/figures.ts';
import type { SessionFile } from '../../options/session-file.ts';
import { sessionHeading } from '../../options/session-summary.ts';
import { installedLine } from '../../output/installation.ts';
import { wrapped } from '../../terminal/columns.ts';
import { printable, type Screen } from '../../terminal/terminal.ts';
import { priceWords } from './price-words.ts';
import { changeLine, removalTable } from './removal-table.ts';
import type { SmallerContext } from './smaller-context.ts';

interface ReportOptions {
  readonly output: string;
  /** True if an earlier run wrote it. */
  readonly isKnown: boolean;
  readonly model: string;
  readonly contextLimit: number;
  readonly unknown: readonly UnknownTool[];
  readonly screen: Screen;
  readonly transcript: string | undefined;
  readonly now: Date;
  /** Of the smaller session; undefined if it was not written. */
  readonly sizeBytes: number | undefined;
}

/** What the next calls cost less: the next one writes all of it to the cache, each further one reads it. */
function moneyLines(
  {
    model,
    lifetimeMs,
    atMs,
  }: { readonly model: string; readonly lifetimeMs: number | undefined; readonly atMs: number },
  { tokensBefore, tokensAfter }: Pick<SmallerHistory, 'tokensBefore' | 'tokensAfter'>,
) {
  const rules = costRules({ model, lifetimeMs, atMs, callsMade: 0 });
  const { price } = rules;
  if (tokensAfter >= tokensBefore) return [];
  if (price.match === 'unknown') return [`No price of ${printable(model)} is known.`];
  const before = ratesFor(price, tokensBefore);
  const after = ratesFor(price, tokensAfter);
  const saved = (of: 'write' | 'cachedRead'): string =>
    dollars((tokensBefore * before[of] - tokensAfter * after[of]) / 1e6);
  return [`${saved('write')} less for the next call, ${saved('cachedRead')} for each after it (${priceWords(rules)})`];
}

/** What a command removed from a session, and where it wrote the rest. */
export function smallerReport(
  opened: SessionFile,
  { tokensBefore, tokensAfter, context, removals, compression }: SmallerContext,
  { output, isKnown, model, contextLimit, unknown, screen, transcript, now, sizeBytes }: ReportOptions,
): string {
  const { dim } = screen.colors;
  const entries = liveHistory(opened.session).length;
  const call = { model, lifetimeMs: recordedLifetimeMs(opened.session), atMs: now.getTime() };
  const lines = [
    sessionHeading(opened, { model, contextLimit, context, entries, screen }),
    removalTable(removals, { tokensBefore, unknown, screen }),
    changeLine(tokensBefore, tokensAfter, { screen, what: sizeBytes === undefined ? BASIS.now : 'removed' }),
    ...moneyLines(call, { tokensBefore, tokensAfter }).map((line) => wrapped(line, screen.columns)),
    ...(compression?.kind === 'unchanged' ? ['Compressing would not make it smaller, so that step was skipped.'] : []),
  ];
  const kept = transcript === undefined ? '' : `${dim('removed entries are kept in')} ${transcript}\n`;
  // Counts of calls in a file can take more bytes than the removed text.
  const size =
    sizeBytes === undefined ? '' : `${dim('file')} ${byteSize(opened.bytes.sizeBytes)} → ${byteSize(sizeBytes)}\n`;
  return `${lines.join('\n')}\n${size}${installedLine(output, isKnown, screen)}${kept}`;
}
