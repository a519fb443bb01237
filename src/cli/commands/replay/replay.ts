import { type Command, Option } from 'commander';
import { fileStatus } from '../../../disk/file-status.ts';
import type { EngineStats } from '../../../history/engine.ts';
import type { ReplayResult } from '../../../replay/result.ts';
import { NO_STRATEGY } from '../../../replay/strategy-layers.ts';
import { byteSize, counted, duration, grouped } from '../../../report/figures.ts';
import { resolveSetting } from '../../../settings/resolve.ts';
import { type RedisOption, redisOption } from '../../options/on-file-answers.ts';
import { formatOption, modelOption, type SessionFacts } from '../../options/session-file.ts';
import {
  PLAY_SETTINGS,
  PRUNING_SETTINGS,
  settingOptions,
  settingsOf,
  TIMING_SETTINGS,
} from '../../options/setting-options.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { STRATEGIES_WITHOUT_MODEL } from '../../options/strategies.ts';
import { type SummarizerFlags, summarizerOf, summarizerOptions } from '../../options/summarizer.ts';
import { commandName, printNext } from '../../output/next-step.ts';
import { forceOption } from '../../output/output-target.ts';
import { redactOption } from '../../output/redaction.ts';
import { quoted, terminal } from '../../terminal/terminal.ts';
import { playedElsewhere } from './play/played-elsewhere.ts';
import { type PlayOptions, playedHere } from './play/played-here.ts';
import { replayReport } from './replay-report.ts';
import type { ReplayedSession } from './replayed-session.ts';
import { sessionsReport } from './sessions-report.ts';
import { strategiesReport } from './strategies-report.ts';
import type { PageOptions } from './written-page.ts';

interface ReplayCommandOptions extends PlayOptions, PageOptions, SummarizerFlags, RedisOption {
  readonly strategy?: string;
  readonly all?: boolean;
  readonly stats?: boolean;
}

/** A page of one session, a comparison of several. */
function nextCommand(name: string, files: readonly string[]): string {
  return files.length > 1
    ? `density compare ${files.map(quoted).join(' ')}`
    : `density replay ${commandName(name)} --open`;
}

/** What the threads did in each replay, and how long the gate blocked the main thread. */
function engineReport({
  results,
  engineStats,
}: {
  results: readonly ReplayResult[];
  engineStats: readonly EngineStats[];
}): string {
  const lines = engineStats.flatMap((stats, index) => {
    const { strategy, engine, stallMs } = results[index]!;
    return [
      `${strategy}, ${engine} engine`,
      `  sent to threads   ${byteSize(stats.sentBytes)} in ${counted(stats.requests, 'request')}, ${grouped(stats.hits)} found the thread up to date`,
      `  whole history     sent again ${counted(stats.resyncs, 'time')}`,
      `  counted           ${byteSize(stats.bytesCountedOnThreads)} on threads, ${byteSize(stats.bytesCountedByCaller)} on the main thread`,
      `  main thread       blocked for ${duration(stallMs.max)} at most, ${duration(stallMs.p99)} at the 99th percentile`,
    ];
  });
  return `${lines.join('\n')}\n`;
}

async function replay(files: readonly string[], options: ReplayCommandOptions): Promise<void> {
  const strategy = options.strategy === NO_STRATEGY ? undefined : options.strategy;
  const layers = await layersInForce(settingsOf({ ...options, strategy }));
  const chosen = options.strategy ?? resolveSetting(layers, 'compression.strategy');
  const policies = options.all ? [NO_STRATEGY, ...STRATEGIES_WITHOUT_MODEL] : [chosen];
  const summarizer = await summarizerOf(options);
  if (options.output !== undefined || options.open)
    return (await import('./written-page.ts')).writePage(files, { chosen, layers, summarizer }, options);
  const { out } = terminal();
  const replayed: ReplayedSession[] = [];
  let last: SessionFacts | undefined;
  const asked = { strategies: policies, layers, summarizer, options };
  const isTable = policies.length === 1 && (files.length > 1 || files.some((name) => fileStatus(name)?.isDirectory()));
  for await (const one of options.redis === undefined ? playedHere(files, asked) : playedElsewhere(files, asked)) {
    last = one.source;
    if (isTable) replayed.push(one);
    else if (!options.json) await out.print(policies.length > 1 ? strategiesReport(one, out) : replayReport(one, out));
    if (options.stats) await terminal().notes.print(engineReport(one));
  }
  if (options.json) return;
  if (replayed.length > 0) await out.print(sessionsReport(replayed, out));
  // The bundled example has no size, and nothing can be done with it.
  if (last?.sizeBytes !== undefined && !options.turns) await printNext(nextCommand(last.name, files));
}

/** Options without a meaning for the page. */
const NOT_ON_PAGE = ['turns', 'stats', 'redis'];

/** `density replay`: plays recorded sessions through the gate. */
export function defineReplay(command: Command): void {
  command
    .description(
      'Plays recorded sessions through the pre-send gate, model call by model call, and shows what each rule removed and saved. Changes no session. Asks a model only for the strategies that need one, and only with --provider.',
    )
    .argument(
      '[session...]',
      'session files or ids, folders with sessions, or latest (default: the newest here, else on this computer, else a bundled example)',
    );
  settingOptions(command, [...PLAY_SETTINGS, ...PRUNING_SETTINGS, ...TIMING_SETTINGS], {
    'compression.strategy': [NO_STRATEGY],
  });
  forceOption(redisOption(redactOption(summarizerOptions(modelOption(formatOption(command))))))
    .addOption(new Option('-o, --output <file>', 'write one session as an HTML page').conflicts(NOT_ON_PAGE))
    .addOption(new Option('--open', 'open this page (replay.html) in the default browser').conflicts(NOT_ON_PAGE))
    .option('--all', 'compare no pruning and every strategy that asks no model')
    .option('--turns', 'print one line for each model call')
    .option('--json', 'one JSON object per line')
    .option('--stats', 'report what threads did and how long the main thread was blocked')
    .action(replay);
}
