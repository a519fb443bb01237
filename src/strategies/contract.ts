import type { IContent, Usage } from '../content/content.ts';
import type { FileAccessOf } from '../content/files/cached-file-access.ts';
import type { OwnTools } from '../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { EditReason } from './reasons/edit-reason.ts';
import type { GateAccessors, PhaseAccessors } from './settings/gate-settings.ts';
import type { DensityPhases } from './settings/phase-settings.ts';
import type { DensityRules } from './settings/rule-settings.ts';

export type { DensityRules };

/** When a strategy acts: only at the threshold, or also before every send (REQ-HD-001.1). */
export type StrategyTrigger =
  | { readonly mode: 'threshold'; readonly defaultThreshold: number }
  | { readonly mode: 'continuous'; readonly defaultThreshold: number };

/** Every strategy by name; the settings enum derives from it (REQ-HD-004.1, 004.4). */
export const COMPRESSION_STRATEGIES = ['middle-out', 'top-down-truncation', 'one-shot', 'high-density'] as const;
export type CompressionStrategyName = (typeof COMPRESSION_STRATEGIES)[number];

/** Marks the class of a strategy that a thread can make by name. A class that extends it is another strategy. */
export const KNOWN_ON_THREADS: unique symbol = Symbol('known on threads');

/** Marks a list in which nothing is ever replaced or removed. A strategy need not copy it to know later what is new in it. */
export const ONLY_GROWS: unique symbol = Symbol('only grows');

/** What `optimize` may prune (REQ-HD-001.9): `readWritePruning`, `fileDedupe`, `recencyPruning`, `recencyRetention`. */
export interface DensityConfig extends DensityPhases {
  /** An absolute path. */
  readonly workspaceRoot: string;
  /** Absent: those of the specification. */
  readonly rules?: DensityRules;
  /** True if the provider has lost the prompt cache, so that any change is free; absent: false. */
  readonly isCold?: boolean;
  /** True if thinking of earlier turns may be left out of the next request; absent: false. */
  readonly canOmitThinking?: boolean;
}

/** Numbers of what each phase removed: call-result pairs, inclusions, results (REQ-HD-001.8, 013.7). */
export interface DensityResultMetadata {
  readonly readWritePairsPruned: number;
  readonly fileDeduplicationsPruned: number;
  /** Results that any rule replaced by the marker, or that lost lines. */
  readonly recencyPruned: number;
}

/**
 * One block that a rule removed or replaced, and why. If several rules replace one block, each has an edit, in the order
 * of the rules, and the last one decides the content.
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
   * The edits behind `removals` and `replacements`, block by block, in the order of the history. Absent: the strategy
   * gives no reasons, and its name is the reason.
   */
  readonly edits?: readonly DensityEdit[];
}

export interface Todo {
  readonly id?: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** The methods of a logger that strategies call. */
export interface DebugLogger {
  debug(message: string, details?: unknown): void;
}

/** A request for a summary. */
export interface SummaryRequest {
  /** The system prompt. */
  readonly instructions: string;
  /** The user message. */
  readonly input: string;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal;
}

/**
 * The reason for a missing summary. `transient`: it may work later; `overflow`: the input is too long for this model;
 * `refused`: the vendor or the model declines, and a retry is useless; `malformed`: the answer cannot be read.
 */
export type ProviderFailure = 'transient' | 'overflow' | 'refused' | 'malformed';

export interface FailedSummary {
  readonly kind: 'failed';
  readonly failure: ProviderFailure;
  /** One line for a person, without any API key. */
  readonly message: string;
  /** Time to wait before another attempt, as the vendor asks. */
  readonly retryAfterMs?: number;
}

export interface WrittenSummary {
  readonly kind: 'summary';
  /** The model's answer; may be empty. */
  readonly text: string;
  /** True if the answer was cut at `maxOutputTokens`. */
  readonly isTruncated: boolean;
  readonly usage?: Usage;
}

export type SummaryOutcome = WrittenSummary | FailedSummary;

/** A model that writes summaries. */
export interface IProvider {
  readonly name: string;
  /** The vendor's failures are values too. @throws only the signal's reason, promptly, when it is aborted. */
  summarize(request: SummaryRequest): Promise<SummaryOutcome>;
}

export interface PromptResolver {
  resolve(promptId: string, baseDir: string): Promise<string>;
}

export interface PromptContext {
  readonly [field: string]: unknown;
}

/**
 * The current settings; every call reads them again. Ratios are 0-1, limits are tokens. `PhaseAccessors` are
 * `densityReadWritePruning()` to `densityRecencyRetention()` (REQ-HD-009.5); an absent accessor counts as the default.
 */
export interface Ephemerals extends PhaseAccessors, Partial<GateAccessors> {
  compressionStrategy(): string;
  /** If nothing sets it, the default of the strategy in use (REQ-HD-001.10); absent: the default of the named strategy. */
  compressionThreshold(strategy?: Pick<CompressionStrategy, 'trigger'>): number;
  preserveThreshold(): number;
  contextLimit(): number;
  /** The name that `resolveProvider` gets; `undefined` or absent: the host's own choice. */
  compressionProfile?(): string | undefined;
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

/** The argument of `compress`. `history` is the curated view. Source: docs/readings.md, row 27. */
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

/** The effect of a compression. The last three are numbers of entries, absent if a strategy has no such part. */
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
 * A way to make a history smaller. `optimize` is synchronous and O(n), and its result depends on its arguments only; it
 * may remember what it found in a history, so that a longer one costs less. `compress` is asynchronous. Neither changes
 * its input entries. A strategy without `optimize` acts at the threshold only (REQ-HD-001.2).
 */
export interface CompressionStrategy {
  readonly name: string;
  readonly requiresLLM: boolean;
  readonly trigger: StrategyTrigger;
  optimize?(history: readonly IContent[], config: DensityConfig): DensityResult;
  compress(context: CompressionContext): Promise<CompressionResult>;
}

/** The dependencies of a strategy; all are optional. */
export interface StrategyOptions {
  /** The tools of the agent whose history it is; default LLxprt's. */
  readonly vocabulary?: ToolVocabulary;
  /** Your own tools by name; they decide before those of the vocabulary. */
  readonly tools?: OwnTools;
  /** Gets warnings of skipped tool calls and invalid settings. */
  readonly logger?: DebugLogger;
  /** Finds the files of a call; default `fileAccess`. A caching one saves time if the same calls are replayed. */
  readonly fileAccess?: FileAccessOf;
  /** Yields to the event loop; asynchronous strategies call it between slices of long work. */
  readonly pause?: () => Promise<void>;
}
