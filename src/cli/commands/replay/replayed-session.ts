import type { UnknownTool } from '../../../content/tools/unknown-tools.ts';
import type { EngineStats } from '../../../history/engine.ts';
import type { PlayedStrategy } from '../../../lab/played/played-strategy.ts';
import type { SessionWorth } from '../../../lab/played/session-worth.ts';
import type { ReplayResult } from '../../../replay/result.ts';
import type { SessionFacts } from '../../options/session-file.ts';

/** A session and its results under each policy. */
export interface ReplayedSession {
  readonly source: SessionFacts;
  readonly results: readonly ReplayResult[];
  /** The worth of each result; undefined if a strategy removes nothing by design. */
  readonly worths: readonly (SessionWorth | undefined)[];
  /** The first play again with `thinkingWhenCold: drop`; absent unless bound thinking kept edits back there. */
  readonly dropping?: PlayedStrategy;
  readonly unknownTools: readonly UnknownTool[];
  /** One for each result. */
  readonly engineStats: readonly EngineStats[];
  readonly tookMs: number;
}
