import type { ContentBlock, IContent } from '../content/content.ts';
import type { CompressionResultMetadata, DensityConfig, DensityResultMetadata } from '../strategies/contract.ts';
import type { FamilyName } from '../tokens/index.ts';

/** Raised when a message changes its meaning; a thread that meets another version refuses it. */
export type ProtocolVersion = 1;

/** A string of a later splice, sent ahead in parts because the entry that holds it is large. */
export interface TextPart {
  readonly kind: 'text-part';
  readonly textId: number;
  readonly text: string;
}

/** Where a text sent in parts stands: entry of the splice, then keys down to the string. */
export interface TextPlace {
  readonly textId: number;
  readonly entry: number;
  readonly keys: readonly (string | number)[];
}

/** `deleteCount` entries from `start` on give way to `entries`. An append has `start` = length and `deleteCount` 0. */
export interface Splice {
  readonly kind: 'splice';
  readonly start: number;
  readonly deleteCount: number;
  readonly entries: readonly IContent[];
  readonly texts?: readonly TextPlace[];
}

/** The replica applies its own result of request `sequence`: the main thread has accepted it. */
export interface Accept {
  readonly kind: 'accept';
  readonly sequence: number;
}

/** Edits that the main thread made by itself: as in a `DensityResult`. */
export interface Patch {
  readonly kind: 'patch';
  readonly removals: readonly number[];
  readonly replacements: readonly (readonly [index: number, entry: IContent])[];
}

export type Change = TextPart | Splice | Patch | Accept;

/** Only keeps the replica in step. */
export interface SynchroniseTask {
  readonly kind: 'synchronise';
}

/**
 * Counts entries `[from, to)` of the replica, or `entries`, which are not of the history. Answers as many counts as
 * `budgetUnits` of text allow, one at least. `fresh` ignores kept counts (DESIGN 4, row 28).
 */
export interface CountTask {
  readonly kind: 'count';
  readonly family: FamilyName;
  readonly range: { readonly from: number; readonly to: number } | { readonly entries: readonly IContent[] };
  readonly fresh: boolean;
  readonly budgetUnits: number;
}

export interface CountTextTask {
  readonly kind: 'count-text';
  readonly family: FamilyName;
  readonly text: string;
}

export interface OptimizeTask {
  readonly kind: 'optimize';
  readonly strategy: string;
  readonly vocabulary: string;
  readonly family: FamilyName;
  readonly config: DensityConfig;
}

/** Numbers that a compression needs of the runtime; everything else it may ask for is absent on a thread. */
export interface CompressTask {
  readonly kind: 'compress';
  readonly strategy: string;
  readonly vocabulary: string;
  readonly family: FamilyName;
  readonly compressionThreshold: number;
  readonly preserveThreshold: number;
  readonly contextLimitTokens: number;
  readonly workspaceRoot: string;
  readonly currentTokens: number;
}

/** Forgets the replica. */
export interface ReleaseTask {
  readonly kind: 'release';
}

export type Task = SynchroniseTask | CountTask | CountTextTask | OptimizeTask | CompressTask | ReleaseTask;

/**
 * One request to a thread. The replica must hold `(epoch, baseRevision)` and expect `sequence`, or answers
 * `need-snapshot`; a request with `baseRevision` 0 starts a replica. Changes bring it to `revision`.
 */
export interface Request {
  readonly version: ProtocolVersion;
  readonly historyId: string;
  readonly epoch: number;
  readonly baseRevision: number;
  readonly revision: number;
  readonly sequence: number;
  readonly changes: readonly Change[];
  readonly task: Task;
  /** One 32-bit flag; not zero: stop at the next check and answer `cancelled`. */
  readonly cancelFlag: Int32Array;
}

/** What became of one block of an entry: it went, or `ContentBlock` stands in its place. Kept blocks are not named. */
export interface BlockEdit {
  readonly block: number;
  readonly becomes: 'nothing' | ContentBlock;
}

/** An entry that changed: entry `from` with some blocks edited, or whole where it cannot be said so. `tokens` is its new count. */
export type Revised = { readonly from: number; readonly tokens: number } & (
  | { readonly blocks: readonly BlockEdit[] }
  | { readonly content: IContent }
);

/** Part of a rebuilt history: entries `[keepFrom, keepTo)` as they were, or one that changed. Entries not named are gone. */
export type HistoryPart = { readonly keepFrom: number; readonly keepTo: number } | Revised;

/** An error as data, because structured clone drops `name`, `code` and own fields. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorData;
}

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'need-snapshot' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'counts'; readonly counts: readonly (number | { readonly error: ErrorData })[] }
  | {
      readonly kind: 'optimized';
      readonly removals: readonly number[];
      readonly replacements: readonly Revised[];
      readonly metadata: DensityResultMetadata;
    }
  | {
      readonly kind: 'compressed';
      readonly parts: readonly HistoryPart[];
      readonly metadata: CompressionResultMetadata;
    }
  | { readonly kind: 'failed'; readonly error: ErrorData };

/** What a thread did and holds, for `stats()`. */
export interface ThreadFigures {
  readonly threadId: number;
  readonly countedBytes: number;
  readonly replicas: number;
  readonly replicaBytes: number;
}

export interface Reply {
  readonly version: ProtocolVersion;
  readonly historyId: string;
  readonly epoch: number;
  readonly revision: number;
  readonly sequence: number;
  readonly outcome: Outcome;
  readonly figures: ThreadFigures;
}
