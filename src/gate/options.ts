import type { IContent } from '../content/content.ts';
import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError } from '../errors.ts';
import type {
  AgentRuntimeContext,
  AgentRuntimeState,
  CompressionContext,
  CompressionStrategy,
  DebugLogger,
  StrategyOptions,
  Todo,
} from '../strategies/contract.ts';
import type { OnRemoved } from './report.ts';

/** What a strategy needs to ask a model. */
export type SummarizerAccess = Pick<
  CompressionContext,
  'resolveProvider' | 'promptResolver' | 'promptBaseDir' | 'promptContext'
>;

export interface PreSendGateOptions {
  /** Every run reads it again, so a changed setting or model takes effect at the next send. */
  readonly runtimeContext: AgentRuntimeContext;
  readonly runtimeState: AgentRuntimeState;
  /**
   * Creates the configured strategy; default `getCompressionStrategy`, which takes the same arguments: `options` has the
   * gate's logger.
   */
  readonly createStrategy?: (name: string, options: StrategyOptions) => CompressionStrategy;
  /** Tokens reserved for the answer, at most half the window; default: the longest answer of the model, at most a tenth. */
  readonly completionBudgetTokens?: number;
  /** `true`: no last resort at the hard limit; the gate throws if the configured strategy does not help. */
  readonly isStrict?: boolean;
  readonly activeTodos?: () => readonly Todo[] | undefined;
  readonly transcript?: TranscriptSink;
  readonly onNotice?: (notice: string) => void;
  /** Called after each step that removed something, also when the run fails later. */
  readonly onRemoved?: OnRemoved;
  readonly logger?: DebugLogger;
  readonly summarizer?: SummarizerAccess;
  /** The name of the agent's session format, for the timing `when-it-pays`: how long its sessions usually last. */
  readonly agent?: string;
  /** Tokens of system prompt and tools, for the timing `when-it-pays`; default: the base offset of the history. */
  readonly constantTokens?: number;
  /** Milliseconds since 1970, for the timing `when-it-pays`; default `Date.now`. */
  readonly now?: () => number;
}

export interface GateRunOptions {
  /** When aborted, the run stops before its next change and cancels requests to a model. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws CompressionStrategyError `SETTING_INVALID` that names the option without which a gate cannot work. */
export function assertOptions(options: PreSendGateOptions): void {
  const given: Partial<PreSendGateOptions> = isRecord(options) ? options : {};
  const { runtimeContext, runtimeState } = given;
  const isMissing: readonly (readonly [name: string, isMissing: boolean])[] = [
    ['runtimeContext.ephemerals', typeof runtimeContext?.ephemerals !== 'object' || runtimeContext.ephemerals === null],
    ['runtimeContext.workspaceRoot', typeof runtimeContext?.workspaceRoot !== 'string'],
    ['runtimeState.model', typeof runtimeState?.model !== 'string'],
  ];
  const missing = isMissing.find(([, is]) => is)?.[0];
  if (missing === undefined) return;
  throw new CompressionStrategyError(`Expected the option \`${missing}\` of the gate, got none.`, 'SETTING_INVALID');
}

/**
 * Stores entries before a step removes or changes them in the history. `append` resolves when they are stored; if it
 * throws, the step does not happen. Source: docs/readings.md, row 22; REQ-HD-012.
 */
export interface TranscriptSink {
  /** Where a person finds it; the summary mentions it. */
  readonly path?: string;
  append(entries: readonly IContent[]): Promise<void>;
}
