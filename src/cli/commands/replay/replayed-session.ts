import type { UnknownTool } from '../../../content/tools/unknown-tools.ts';
import type { EngineStats } from '../../../history/engine.ts';
import type { ReplayResult } from '../../../replay/result.ts';
import type { SessionSource } from '../../options/session-file.ts';

/** A session and its results under each policy. */
export interface ReplayedSession {
  readonly source: SessionSource;
  readonly results: readonly ReplayResult[];
  readonly unknownTools: readonly UnknownTool[];
  /** One for each result. */
  readonly engineStats: readonly EngineStats[];
  readonly tookMs: number;
}
