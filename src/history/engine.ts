import type { IContent } from '../content/content.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../strategies/contract.ts';
import type { ModelCount } from './entries/slot-totals.ts';

/** Where the heavy work of a history is done: on threads, or on the calling thread. The results are equal. */
export const ENGINES = ['offloaded', 'inline'] as const;

export type EngineName = (typeof ENGINES)[number];

/**
 * How the history of an engine just changed. `splice`: `entries` replaced `removed`, which began at `start` (an append
 * removes nothing). `applied`: a `DensityResult` was applied; it is the very object that `optimize` returned when it
 * returned it, so that a replica applies its own copy and nothing is sent back.
 */
export type HistoryChange =
  | {
      readonly kind: 'splice';
      readonly start: number;
      readonly removed: readonly IContent[];
      readonly entries: readonly IContent[];
    }
  | { readonly kind: 'applied'; readonly result: DensityResult };

/** Tokens of one entry, or what the counter threw for it; one failing entry does not stop the others. */
export type EntryCount = { readonly tokens: number } | { readonly error: unknown };

export interface CountRequest {
  readonly model: string;
  /** Do not use counts that were kept from earlier requests (docs/readings.md, row 28). */
  readonly fresh: boolean;
  /** Aborted: the rest of the counts is no longer wanted; the iteration may simply end. */
  readonly signal: AbortSignal;
  /** The longest that the calling thread counts before it looks at other work; the usual slice when absent. */
  readonly sliceMs?: number;
}

/** The progress of a thread with a long piece of work: first the entries reach it, then it counts them. The caller's share is not in it. */
export interface EngineProgress {
  readonly phase: 'synchronise' | 'count';
  readonly doneEntries: number;
  readonly allEntries: number;
  readonly synchronisedBytes: number;
  readonly countedTokens: number;
}

/** What an engine needs of the history that it serves. */
export interface ServedHistory {
  /** The live list of its entries. */
  readonly entries: readonly IContent[];
  /** Counts its new entries. */
  readonly model: string;
  /** Whether the count of an entry for `model` is known. */
  hasCount(entry: IContent): boolean;
  /** Receives the count of an entry that the engine was not asked to count, such as one of a result. Must not throw. */
  keepCount(entry: IContent, count: ModelCount): void;
}

/** Receives what an engine reports beside its answers. Must not throw. */
export interface EngineListener {
  /** Work that belongs on a thread is done on the calling thread, until `restored`. Called once each time. */
  degraded(reason: Error): void;
  restored(): void;
  progressed(progress: EngineProgress): void;
}

/** What an engine has done for its history. Bytes are those of memory: one per Latin-1 character, else two. */
export interface EngineStats {
  readonly bytesCountedByCaller: number;
  readonly bytesCountedOnThreads: number;
  readonly sentBytes: number;
  readonly requests: number;
  /** Requests that found their thread up to date. */
  readonly hits: number;
  /** Times that the whole history was sent again. */
  readonly resyncs: number;
}

/**
 * Does the heavy work of one history: counting, optimising, compressing. Inline here, on threads in `offload/`.
 * An engine serves one history.
 */
export interface Engine {
  readonly name: EngineName;
  /** Text of new entries whose counts the answer of `optimize` brings along, so that one request does both; 0: none. */
  readonly broughtBytes: number;
  /** From now on the engine serves `history` and reports to `listener` only. */
  serve(history: ServedHistory, listener: EngineListener): void;
  /** Called after each change of the history, in order, before anything else is asked. Must not throw and must not wait. */
  changed(change: HistoryChange): void;
  /** Counts of `entries`, in their order, batch by batch as they become known. The loop yields to timers and input in between. */
  countEntries(entries: readonly IContent[], request: CountRequest): AsyncIterable<readonly EntryCount[]>;
  countText(text: string, model: string): Promise<number>;
  /** What `strategy.optimize` returns for the raw history. @throws what `optimize` throws. */
  optimize(strategy: CompressionStrategy, history: readonly IContent[], config: DensityConfig): Promise<DensityResult>;
  /** What `strategy.compress` returns. @throws what `compress` throws. */
  compress(strategy: CompressionStrategy, context: CompressionContext): Promise<CompressionResult>;
  stats(): EngineStats;
  dispose(): Promise<void>;
}
