import { vocabularyWithListed } from '../../content/tools/own-tools.ts';
import { type UnknownTool, unknownTools } from '../../content/tools/unknown-tools.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { liveHistory, type Session } from '../../formats/contract.ts';
import type { EngineStats } from '../../history/engine.ts';
import { processPool } from '../../offload/create-history-service.ts';
import type { ReplayTurn } from '../../replay/result.ts';
import { layersFor } from '../../replay/strategy-layers.ts';
import { createEphemerals, resolveSetting, type SettingLayers } from '../../settings/resolve.ts';
import { getCompressionStrategy } from '../../strategies/index.ts';
import { type PlayedStrategy, playedStrategy } from '../played/played-strategy.ts';
import { sessionWorth } from '../played/session-worth.ts';
import { askedSession } from './answering-files.ts';
import type { FileQuestion } from './file-answers.ts';

/** How a session is to be played. */
export interface PlayQuestion extends FileQuestion {
  /** Strategies that ask no model, or `none`. */
  readonly strategies: readonly string[];
  readonly settings: SettingLayers;
  /** Default: the recorded one. */
  readonly model?: string;
  /** The name of its format; default: found by content. */
  readonly format?: string;
}

/** A session file that was played, under each strategy in turn. */
export interface PlayedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly format: string;
  readonly skipped: Session['skipped'];
  readonly readMs: number;
  readonly tookMs: number;
  readonly unknownTools: readonly UnknownTool[];
  readonly plays: readonly Play[];
}

interface Play extends PlayedStrategy {
  readonly turns: readonly ReplayTurn[];
  readonly stats: EngineStats;
}

/** Plays the session at `path` through the gate. @throws CompressionStrategyError as `readSession` and `replaySession`. */
export async function playedFile({ strategies, settings, ...asked }: PlayQuestion): Promise<PlayedFile> {
  const { path } = asked;
  const bytes = fileBytes(path);
  const { session, format, readMs } = askedSession(asked, bytes);
  const startedAt = performance.now();
  const model = asked.model ?? session.model ?? 'unknown';
  const engine = resolveSetting(settings, 'compression.engine');
  const listed = createEphemerals(settings, { model }).densityRules?.()?.tools ?? [];
  // One: other sessions are played beside this one, on threads of their own.
  if (engine === 'offloaded') processPool({ threads: 1 });
  const plays: Play[] = [];
  for (const strategy of strategies) {
    const turns: ReplayTurn[] = [];
    const stats: EngineStats[] = [];
    const played = await playedStrategy(
      session,
      { strategy, model, engine },
      {
        // The work is done on this thread, because nothing waits for its event loop.
        worthOf: sessionWorth,
        createStrategy: (name) => getCompressionStrategy(name, { vocabulary: format.vocabulary }),
        ephemerals: createEphemerals(layersFor(strategy, settings), { model }),
        clock: () => performance.now(),
        onTurn: (turn) => turns.push(turn),
        onEngineStats: (one) => stats.push(one),
      },
    );
    plays.push({ ...played, turns, stats: stats[0]! });
  }
  return {
    path,
    sizeBytes: bytes.sizeBytes,
    format: format.name,
    skipped: session.skipped,
    readMs,
    tookMs: performance.now() - startedAt,
    unknownTools: unknownTools(liveHistory(session), vocabularyWithListed(listed, format.vocabulary)),
    plays,
  };
}
