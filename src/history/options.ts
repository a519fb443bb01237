import type { DebugLogger } from '../strategies/contract.ts';
import type { Engine } from './engine.ts';

export interface HistoryServiceOptions {
  /** In process when absent. It must serve no other history. */
  readonly engine?: Engine;
  /** Counts entries that are added without a model name. */
  readonly model?: string;
  /** Hash entries when they are added, so that `verifyUnchanged` finds those changed in place. Costs a hash per entry and gate run. */
  readonly detectMutation?: boolean;
  readonly logger?: DebugLogger;
}
