import type { IContent, Usage } from '../content/content.ts';
import type { FileAccessOf } from '../content/files/cached-file-access.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { EditReason } from './edit-reason.ts';
import type { DensityPhases, DensityRules, GateAccessors, PhaseAccessors } from './settings/density-settings.ts';

export type { DensityRules };

/** When a strategy acts: at the threshold only, or before every send as well (REQ-HD-001.1). */
export type StrategyTrigger =
  | { readonly mode: 'threshold'; readonly defaultThreshold: number }
  | { readonly mode: 'continuous'; readonly defaultThreshold: number };

/** Every strategy by name; the settings enum derives from it (REQ-HD-004.1, 004.4). */
export const COMPRESSION_STRATEGIES = ['middle-out', 'top-down-truncation', 'one-shot', 'high-density'] as const;
export type CompressionStrategyName = (typeof COMPRESSION_STRATEGIES)[number];

/** What `optimize` may prune (REQ-HD-001.9): `readWritePruning`, `fileDedupe`, `recencyPruning`, `recencyRetention`. */
export interface DensityConfig extends DensityPhases {
  /** An absolute path. */
  readonly workspaceRoot: string;
  /** Absent: those of the specification. */
  readonly rules?: DensityRules;
}

/** What each phase took away: call-response pairs, inclusions, responses (REQ-HD-001.8, 013.7). */
export interface DensityResultMetadata {
  readonly readWritePairsPruned: number;
  readonly fileDeduplicationsPruned: number;
  /** Responses whose result gave way to the pointer, by whatever rule, or lost lines. */
  readonly recencyPruned: number;
}

/**
 * One block that a rule removed or replaced, and why. Where several rules replace one block each has its edit, in the
 * order in which they did, and the last one decides what is there.
 */
export interface DensityEdit {
  readonly entry: number;
  readonly block: number;
  readonly kind: 'remove' | 'replace';
  readonly reason: EditReason;
}

/**
 * Edits to a raw history (REQ-HD-001.5). Indices refer to the history that was optimised, are integers in
 * `[0, length)`, and none is in both `removals` and `replacements` (REQ-HD-001.6, 001.7).
 */
export interface DensityResult {
  readonly removals: readonly number[];
  readonly replacements: ReadonlyMap<number, IContent>;
  readonly metadata: DensityResultMetadata;
  /**
   * What `removals` and `replacements` are made of, block by block, in the order of the history. Absent: the strategy
   * does not say why, and its name is the reason.
   */
  readonly edits?: readonly DensityEdit[];
}

export interface Todo {
  readonly id?: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** The part of a log that strategies use. */
export interface DebugLogger {
  debug(message: string, details?: unknown): void;
}

/** What a model is asked to summarise. */
export interface SummaryRequest {
  /** What it is to do: the system prompt. */
  readonly instructions: string;
  /** What it is to do it with: the message. */
  readonly input: string;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal;
}

/**
 * Why there is no summary. `transient`: it may work later; `overflow`: the input is too long for this model;
 * `refused`: the vendor or the model declines, and would again; `malformed`: its answer cannot be read.
 */
export type ProviderFailure = 'transient' | 'overflow' | 'refused' | 'malformed';

export interface FailedSummary {
  readonly kind: 'failed';
  readonly failure: ProviderFailure;
  /** One line for a person, with no key in it. */
  readonly message: string;
  /** How long the vendor asks to wait before another attempt. */
  readonly retryAfterMs?: number;
}

export interface WrittenSummary {
  readonly kind: 'summary';
  /** What the model wrote; may be empty. */
  readonly text: string;
  /** Whether it stopped at `maxOutputTokens` instead of an end of its own. */
  readonly isTruncated: boolean;
  readonly usage?: Usage;
}

export type SummaryOutcome = WrittenSummary | FailedSummary;

/** The model a summarising strategy asks. */
export interface IProvider {
  readonly name: string;
  /** Whatever the vendor does is a value. @throws the signal's reason alone, promptly, when it is aborted. */
  summarize(request: SummaryRequest): Promise<SummaryOutcome>;
}

export interface PromptResolver {
  resolve(promptId: string, baseDir: string): Promise<string>;
}

export interface PromptContext {
  readonly [field: string]: unknown;
}

/**
 * The settings in force; every call reads them again. Ratios are 0-1, limits are tokens. `PhaseAccessors` are
 * `densityReadWritePruning()` to `densityRecencyRetention()` (REQ-HD-009.5); an absent accessor counts as the default.
 */
export interface Ephemerals extends PhaseAccessors, Partial<GateAccessors> {
  compressionStrategy(): string;
  compressionThreshold(): number;
  preserveThreshold(): number;
  contextLimit(): number;
  /** `undefined`: those of the specification. */
  densityRules?(): DensityRules | undefined;
}

export interface AgentRuntimeContext {
  readonly ephemerals: Ephemerals;
  /** Absolute path that relative tool paths are resolved against (REQ-HD-005.11). */
  readonly workspaceRoot: string;
}

export interface AgentRuntimeState {
  readonly model: string;
  readonly provider?: string;
}

/** What `compress` gets. `history` is the curated view. Source: docs/readings.md, row 27. */
export interface CompressionContext {
  readonly history: readonly IContent[];
  readonly runtimeContext: AgentRuntimeContext;
  readonly runtimeState: AgentRuntimeState;
  /** Tokens of all `contents` together, without the base offset. */
  readonly estimateTokens: (contents: readonly IContent[]) => Promise<number>;
  readonly currentTokenCount: number;
  readonly logger: DebugLogger;
  readonly resolveProvider: (profileName?: string) => IProvider;
  readonly promptResolver: PromptResolver;
  readonly promptBaseDir: string;
  readonly promptContext: Readonly<Partial<PromptContext>>;
  readonly promptId: string;
  readonly activeTodos?: readonly Todo[];
  readonly transcriptPath?: string;
}

/** What a strategy did. The last three are entries, and absent where a strategy has no such part. */
export interface CompressionResultMetadata {
  readonly originalMessageCount: number;
  readonly compressedMessageCount: number;
  readonly strategyUsed: string;
  readonly llmCallMade: boolean;
  readonly topPreserved?: number;
  readonly bottomPreserved?: number;
  readonly middleCompressed?: number;
}

export interface CompressionResult {
  readonly newHistory: IContent[];
  readonly metadata: CompressionResultMetadata;
}

/**
 * One way to make a history smaller. `optimize` is synchronous, pure and O(n); `compress` may wait. Neither
 * changes the entries it is given. A strategy without `optimize` acts at the threshold only (REQ-HD-001.2).
 */
export interface CompressionStrategy {
  readonly name: string;
  readonly requiresLLM: boolean;
  readonly trigger: StrategyTrigger;
  optimize?(history: readonly IContent[], config: DensityConfig): DensityResult;
  compress(context: CompressionContext): Promise<CompressionResult>;
}

/** What a strategy is bound to at construction; all are optional. */
export interface StrategyOptions {
  /** The tools of the agent whose history it is; default LLxprt's. */
  readonly vocabulary?: ToolVocabulary;
  /** Hears of skipped tool calls and odd settings. */
  readonly logger?: DebugLogger;
  /** Finds the files of a call; default `fileAccess`. One that remembers pays where the same calls are played again. */
  readonly fileAccess?: FileAccessOf;
  /** Lets the event loop turn; strategies that wait call it between slices of long work of their own. */
  readonly pause?: () => Promise<void>;
}
