import type {
  AgentRuntimeContext,
  AgentRuntimeState,
  CompressionContext,
  CompressionStrategy,
  DebugLogger,
  Todo,
} from '../strategies/contract.ts';
import type { OnRemoved } from './report.ts';
import type { TranscriptSink } from './transcript.ts';

/** What strategies that ask a model need. */
export type SummarizerAccess = Pick<
  CompressionContext,
  'resolveProvider' | 'promptResolver' | 'promptBaseDir' | 'promptContext'
>;

export interface PreSendGateOptions {
  /** Read anew at every run, so that a setting or a model that changes counts from the next send on. */
  readonly runtimeContext: AgentRuntimeContext;
  readonly runtimeState: AgentRuntimeState;
  /** Makes the configured strategy; `getCompressionStrategy` when absent. */
  readonly createStrategy?: (name: string) => CompressionStrategy;
  /** Tokens kept free for the answer; half the window at most. */
  readonly completionBudgetTokens?: number;
  /** `true`: at the hard limit nothing follows the configured strategy but the error. */
  readonly isStrict?: boolean;
  readonly activeTodos?: () => readonly Todo[] | undefined;
  readonly transcript?: TranscriptSink;
  readonly onNotice?: (notice: string) => void;
  /** Called after each step that removed something, also when the run fails later. */
  readonly onRemoved?: OnRemoved;
  readonly logger?: DebugLogger;
  readonly summarizer?: SummarizerAccess;
  /** Milliseconds since 1970, for prunings that wait until they pay; `Date.now` when absent. */
  readonly now?: () => number;
}

export interface GateRunOptions {
  /** Aborted: the run ends before its next change, and requests to a model end at once. */
  readonly signal?: AbortSignal | undefined;
}
