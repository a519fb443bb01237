import { unknownTools } from '../../../../content/tools/unknown-tools.ts';
import { liveHistory } from '../../../../formats/contract.ts';
import type { SummarizerAccess } from '../../../../gate/options.ts';
import type { EngineStats } from '../../../../history/engine.ts';
import type { PlayedStrategy } from '../../../../lab/played/played-strategy.ts';
import type { SessionWorth } from '../../../../lab/played/session-worth.ts';
import { Worths } from '../../../../lab/played/worths.ts';
import type { ReplayResult } from '../../../../replay/result.ts';
import { layersFor } from '../../../../replay/strategy-layers.ts';
import type { EphemeralSettings } from '../../../../settings/registry.ts';
import { createEphemerals, resolveSetting, type SettingLayers } from '../../../../settings/resolve.ts';
import { modelOf, type ReadOptions, type SessionSource } from '../../../options/session-file.ts';
import { toolsInForce } from '../../../options/tools-in-force.ts';
import type { RedactOptions } from '../../../output/redaction.ts';
import { chosenSessions } from '../../../picker/session-choice.ts';
import { startProgress } from '../../../terminal/progress.ts';
import { reportFailure } from '../../../terminal/terminal.ts';
import { turnPrinter } from '../replay-turns.ts';
import type { ReplayedSession } from '../replayed-session.ts';
import { printedPlay } from './printed-play.ts';
import { playStrategy } from './strategy-play.ts';

export interface PlayOptions extends ReadOptions, RedactOptions {
  readonly turns?: boolean;
  readonly json?: boolean;
}

export interface AskedPlay {
  readonly strategies: readonly string[];
  readonly layers: SettingLayers;
  readonly summarizer: SummarizerAccess | undefined;
  readonly options: PlayOptions;
}

/** Plays the named sessions one after the other; prints model calls and JSON lines while it plays, and which session failed. */
export async function* playedHere(files: readonly string[], asked: AskedPlay): AsyncGenerator<ReplayedSession> {
  for await (const source of chosenSessions(files, { format: asked.options.format, onError: reportFailure })) {
    let played: ReplayedSession;
    try {
      played = await playedOne(source, asked);
    } catch (error) {
      await reportFailure(error);
      continue;
    }
    yield played;
  }
}

async function playedOne(
  source: SessionSource,
  { strategies, layers, summarizer, options }: AskedPlay,
): Promise<ReplayedSession> {
  const { session, format, ...facts } = source;
  const model = modelOf(options.model, session.model);
  const startedAt = performance.now();
  // The lines of `--turns` show the progress themselves.
  const progress = startProgress('replaying', options.turns ? 0 : session.events.length * strategies.length);
  const engine = resolveSetting(layers, 'compression.engine');
  const tools = toolsInForce(format.vocabulary, createEphemerals(layers, { model }));
  const unknown = unknownTools(liveHistory(session), tools);
  const results: ReplayResult[] = [];
  const worths: (SessionWorth | undefined)[] = [];
  let dropping: PlayedStrategy | undefined;
  const engineStats: EngineStats[] = [];
  const thread = new Worths(engine);
  try {
    for (const [index, strategy] of strategies.entries()) {
      const ephemerals = createEphemerals(layersFor(strategy, layers), { model });
      const contextLimit = ephemerals.contextLimit();
      const turns = options.turns
        ? turnPrinter({ file: source.name, strategy, contextLimit, json: options.json })
        : undefined;
      const eventsBefore = index * session.events.length;
      const played = await playStrategy(
        source,
        { strategy, model, engine, ephemerals, summarizer, progress, eventsBefore },
        {
          worthOf: thread.of,
          ...(turns && { onTurn: turns.print }),
          onEngineStats: (stats) => engineStats.push(stats),
        },
      );
      await turns?.done();
      progress.clear();
      results.push(await printedPlay({ ...played, source, unknownTools: unknown }, options));
      worths.push(played.worth);
    }
    if (!options.json && strategies.length === 1 && keepsThinkingBack(results[0]!, layers)) {
      const strategy = strategies[0]!;
      const ephemerals = createEphemerals(layersFor(strategy, [DROP, ...layers]), { model });
      const again = startProgress('replaying without bound thinking', session.events.length);
      const policy = { strategy, model, engine, ephemerals, summarizer, progress: again, eventsBefore: 0 };
      dropping = await playStrategy(source, policy, { worthOf: thread.of }).finally(() => again.stop());
    }
  } finally {
    progress.stop();
    await thread.close();
  }
  // The reports need no events: free their memory.
  const shown = { ...facts, format, session: { skipped: session.skipped } };
  const tookMs = performance.now() - startedAt;
  const all = { source: shown, results, worths, unknownTools: unknown, engineStats, tookMs };
  return dropping === undefined ? all : { ...all, dropping };
}

const DROP: EphemeralSettings = { 'compression.density.thinkingWhenCold': 'drop' };

/** True if bound thinking made edits wait, and a setting may let it go. */
const keepsThinkingBack = ({ decisions: { bound = 0 } }: ReplayResult, layers: SettingLayers): boolean =>
  bound > 0 && resolveSetting(layers, 'compression.density.thinkingWhenCold') === 'keep';
