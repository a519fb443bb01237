import type { Command } from 'commander';
import { unknownTools } from '../../../content/tools/unknown-tools.ts';
import { liveHistory } from '../../../formats/contract.ts';
import type { SummarizerAccess } from '../../../gate/options.ts';
import type { EngineStats } from '../../../history/engine.ts';
import type { ReplayResult } from '../../../replay/result.ts';
import { createEphemerals, resolveSetting, type SettingLayers } from '../../../settings/resolve.ts';
import { engineReport } from '../../options/engine-report.ts';
import { layersFor, NO_STRATEGY, STRATEGIES_WITHOUT_MODEL } from '../../options/policies.ts';
import {
  PLAY_SETTINGS,
  PRUNING_SETTINGS,
  policyOptions,
  settingsOf,
  TIMING_SETTINGS,
} from '../../options/policy-options.ts';
import { chosenSessions } from '../../options/session-choice.ts';
import type { SessionSource } from '../../options/session-file.ts';
import { formatOption, modelOption, type ReadOptions } from '../../options/session-options.ts';
import { modelOf } from '../../options/session-summary.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { type SummarizerFlags, summarizerOf, summarizerOptions } from '../../options/summarizer.ts';
import { toolsInForce } from '../../options/tools-in-force.ts';
import { commandName, printNext } from '../../output/next-step.ts';
import { hiddenLine, type RedactOptions, redactOption, redactorOf } from '../../output/redaction.ts';
import { reportFailure } from '../../terminal/failure.ts';
import { startProgress } from '../../terminal/progress.ts';
import { quoted } from '../../terminal/quoted.ts';
import { terminal } from '../../terminal/terminal.ts';
import { replayReport } from './replay-report.ts';
import { turnPrinter } from './replay-turns.ts';
import type { ReplayedSession } from './replayed-session.ts';
import { sessionsReport } from './sessions-report.ts';
import { strategiesReport } from './strategies-report.ts';
import { playStrategy } from './strategy-play.ts';

interface ReplayCommandOptions extends ReadOptions, SummarizerFlags, RedactOptions {
  readonly strategy?: string;
  readonly all?: boolean;
  readonly turns?: boolean;
  readonly json?: boolean;
  readonly stats?: boolean;
}

function policiesOf({ all, strategy }: ReplayCommandOptions, layers: SettingLayers): string[] {
  if (all) return [NO_STRATEGY, ...STRATEGIES_WITHOUT_MODEL];
  return [strategy ?? resolveSetting(layers, 'compression.strategy')];
}

/** The JSON line of a session under a policy. */
function record(
  { name, session, readMs, sizeBytes }: SessionSource,
  { notices, ...result }: ReplayResult & Pick<ReplayedSession, 'unknownTools'>,
  secretsHidden: number | null,
): string {
  const file = { file: name, ...result, skippedLines: session.skipped.length };
  return `${JSON.stringify({ ...file, readMs, sizeBytes: sizeBytes ?? null, notices, secretsHidden })}\n`;
}

async function replayOne(
  source: SessionSource,
  policies: readonly string[],
  {
    options,
    layers,
    summarizer,
  }: { options: ReplayCommandOptions; layers: SettingLayers; summarizer: SummarizerAccess | undefined },
): Promise<ReplayedSession> {
  const { session } = source;
  const model = modelOf(options.model, session.model);
  const startedAt = performance.now();
  // The lines of `--turns` show the progress themselves.
  const progress = startProgress('replaying', options.turns ? 0 : session.events.length * policies.length);
  const engine = resolveSetting(layers, 'compression.engine');
  const tools = toolsInForce(source.format.vocabulary, createEphemerals(layers, { model }));
  const unknown = unknownTools(liveHistory(session), tools);
  const results: ReplayResult[] = [];
  const engineStats: EngineStats[] = [];
  try {
    for (const [index, strategy] of policies.entries()) {
      const ephemerals = createEphemerals(layersFor(strategy, layers), { model });
      const contextLimit = ephemerals.contextLimit();
      const turns = options.turns
        ? turnPrinter({ file: source.name, strategy, contextLimit, json: options.json })
        : undefined;
      const eventsBefore = index * session.events.length;
      const result = await playStrategy(
        source,
        { strategy, model, engine, ephemerals, summarizer, progress, eventsBefore },
        { ...(turns && { onTurn: turns.print }), onEngineStats: (stats) => engineStats.push(stats) },
      );
      await turns?.done();
      const redactor = redactorOf(options);
      // Only notices contain text of the session: they quote the start of dropped messages.
      const notices = redactor === undefined ? result.notices : result.notices.map(redactor.label);
      const shown = { ...result, notices };
      results.push(shown);
      progress.clear();
      if (options.json)
        await terminal().out.print(record(source, { ...shown, unknownTools: unknown }, redactor?.hidden ?? null));
      else await terminal().notes.print(hiddenLine(redactor, terminal().notes.colors.dim));
    }
  } finally {
    progress.stop();
  }
  return { source, results, unknownTools: unknown, engineStats, tookMs: performance.now() - startedAt };
}

/** A page of one session, a comparison of several. */
function nextCommand(name: string, files: readonly string[]): string {
  return files.length > 1
    ? `density compare ${files.map(quoted).join(' ')}`
    : `density report ${commandName(name)} --open`;
}

async function replay(files: readonly string[], options: ReplayCommandOptions): Promise<void> {
  const strategy = options.strategy === NO_STRATEGY ? undefined : options.strategy;
  const layers = await layersInForce(settingsOf({ ...options, strategy }));
  const policies = policiesOf(options, layers);
  const summarizer = await summarizerOf(options);
  const { out } = terminal();
  const replayed: ReplayedSession[] = [];
  let last: SessionSource | undefined;
  for await (const source of chosenSessions(files, { format: options.format, onError: reportFailure })) {
    try {
      const one = await replayOne(source, policies, { options, layers, summarizer });
      last = source;
      if (files.length <= 1 || policies.length > 1) {
        if (!options.json) await out.print(policies.length > 1 ? strategiesReport(one, out) : replayReport(one, out));
      } else {
        // The table does not need the events: free their memory.
        replayed.push({ ...one, source: { ...source, session: { ...source.session, events: [] } } });
      }
      if (options.stats) await terminal().notes.print(engineReport(one));
    } catch (error) {
      await reportFailure(error);
    }
  }
  if (options.json) return;
  if (replayed.length > 0) await out.print(sessionsReport(replayed, out));
  // The bundled example has no size, and nothing can be done with it.
  if (last?.sizeBytes !== undefined && !options.turns) await printNext(nextCommand(last.name, files));
}

/** `density replay`: plays recorded sessions through the gate. */
export function defineReplay(command: Command): void {
  command
    .description(
      'Plays recorded sessions through the pre-send gate, model call by model call, and shows what each rule removed and saved. Changes no session. Asks a model only for the strategies that need one, and only with --provider.',
    )
    .argument(
      '[session...]',
      'session files or ids, or latest (default: the newest here, else on this computer, else a bundled example)',
    );
  policyOptions(command, [...PLAY_SETTINGS, ...PRUNING_SETTINGS, ...TIMING_SETTINGS], {
    'compression.strategy': [NO_STRATEGY],
  });
  redactOption(summarizerOptions(modelOption(formatOption(command))))
    .option('--all', 'compare no pruning and every strategy that asks no model')
    .option('--turns', 'print one line for each model call')
    .option('--json', 'one JSON object per line, for each session and strategy')
    .option('--stats', 'report what threads did and how long the main thread was blocked')
    .action(replay);
}
