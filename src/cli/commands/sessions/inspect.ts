import type { Command } from 'commander';
import type { Redactor } from '../../../content/secrets/redact.ts';
import { perRule } from '../../../replay/result.ts';
import { rewardsFor } from '../../../sessions/places/trial-folder.ts';
import { optimizeConfig } from '../../../sessions/prunable.ts';
import { createEphemerals } from '../../../settings/resolve.ts';
import { formatOption, modelOf, modelOption, type ReadOptions } from '../../options/session-file.ts';
import { sessionArgument, sessionPath } from '../../options/session-path.ts';
import { PRUNING_SETTINGS, settingOptions, settingsOf } from '../../options/setting-options.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { commandName, extensionOf, printNext } from '../../output/next-step.ts';
import { hiddenLine, type RedactOptions, redactOption, redactorOf } from '../../output/redaction.ts';
import { printable, printJson, terminal, UsageError } from '../../terminal/terminal.ts';
import { inspectReport } from './inspect-report.ts';
import { type InspectedSession, inspected } from './inspected-session.ts';
import type { LintOptions } from './lint.ts';

/** The session with its secrets hidden. */
function shareable(shown: InspectedSession, redactor: Redactor | undefined): InspectedSession {
  if (redactor === undefined) return shown;
  const { inspection, session } = shown;
  const largest = inspection.largest.map((entry) => ({ ...entry, label: redactor.label(entry.label) }));
  const skipped = redactor.value(session.skipped);
  return { ...shown, inspection: redactor.value({ ...inspection, largest }), session: { ...session, skipped } };
}

const rewardLine = (rewards: Readonly<Record<string, number>> | undefined): string =>
  rewards === undefined
    ? ''
    : `\nThe trial got ${Object.entries(rewards)
        .map(([name, value]) => `${printable(name)} ${value}`)
        .join(', ')}.\n`;

interface InspectOptions extends ReadOptions, RedactOptions, LintOptions {
  readonly lint?: boolean;
}

async function inspect(named: string | undefined, options: InspectOptions): Promise<void> {
  if (options.files !== undefined && !options.lint)
    throw new UsageError('Expected --lint with --files: it checks the files of a folder for markers.');
  if (options.lint) return (await import('./lint.ts')).printLint(named, options);
  const file = await sessionPath(named);
  const redactor = redactorOf(options);
  const layers = await layersInForce(settingsOf({ ...options }));
  const optimize = optimizeConfig(createEphemerals(layers, { model: options.model ?? 'unknown' }));
  const shown = shareable(await inspected(file, { ...options, optimize }), redactor);
  const { session, format, inspection } = shown;
  const model = modelOf(options.model, session.model);
  const ephemerals = createEphemerals(layers, { model });
  const contextLimit = ephemerals.contextLimit();
  const { out } = terminal();
  const rewards = rewardsFor(file);
  if (options.json) {
    const facts = { file, format: format.name, model, contextLimit, ...(rewards && { rewards }) };
    const counts = { skippedLines: session.skipped.length, secretsHidden: redactor?.hidden ?? null };
    const { removals, tokens: recordedTokens, ...found } = inspection;
    const sizes = { tokens: inspection.context.tokens, recordedTokens };
    const removable = { removed: perRule(removals, 'count'), removedTokens: perRule(removals, 'tokens') };
    await printJson({ ...facts, ...sizes, ...found, ...removable, ...counts });
  } else {
    const text = inspectReport(shown, { model, contextLimit, screen: out });
    await out.print(`${text}${rewardLine(rewards)}${hiddenLine(redactor, out.colors.dim)}`);
    const name = commandName(file);
    await printNext(
      format.write && inspection.removableTokens > 0
        ? `density optimize ${name} -o smaller${extensionOf(file)}`
        : `density replay ${name} --all`,
    );
  }
}

/** `density inspect`: shows what fills the context of a session. */
export function defineInspect(command: Command): void {
  sessionArgument(
    command.description(
      'Shows what fills the context of a session: tokens by speaker, tool and file, the largest entries, what `optimize` would remove, unpaired calls. With --lint: lists what a provider would refuse, and why; the exit code is then 1 if there is anything. Hides keys, tokens and passwords of known shapes.',
    ),
    'a session file of any known format; with --lint also the body of a request',
  );
  redactOption(
    settingOptions(modelOption(formatOption(command)), ['compression.profile', 'context-limit', ...PRUNING_SETTINGS]),
  )
    .option('--lint', 'list what a provider would refuse, and calls that write a marker of density')
    .option('--files <folder>', 'with --lint: check the files of a folder instead, for markers')
    .option('--json', 'one JSON object')
    .action(inspect);
}
