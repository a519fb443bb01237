import type { MessagePort } from 'node:worker_threads';
import type { ContentBlock, IContent } from '../content/content.ts';
import type { CompressionResultMetadata, DensityConfig, DensityResultMetadata } from '../strategies/contract.ts';
import type { EditReason } from '../strategies/reasons/edit-reason.ts';
import type { ErrorData } from '../threads/answer.ts';
import type { FamilyName } from '../tokens/index.ts';

/** Raised when a message changes its meaning; a thread that meets another version refuses it. */
export type ProtocolVersion = 1;

/** Which list of a replica is meant: its copy of the history, or entries that are only counted and then forgotten. */
export type ListName = 'history' | 'loose';

/** A string of a later change, sent before it in parts because its entry is large. */
export interface TextPart {
  readonly kind: 'text-part';
  readonly textId: number;
  readonly text: string;
}

/** The place of a text that was sent in parts: its entry in the change, then keys down to the string. */
export interface TextPlace {
  readonly textId: number;
  readonly at: number;
  readonly keys: readonly (string | number)[];
}

/** `entries` replace `deleteCount` entries from `start` on. An append has `start` = length and `deleteCount` 0. */
export interface Splice {
  readonly kind: 'splice';
  readonly list: ListName;
  readonly start: number;
  readonly deleteCount: number;
  readonly entries: readonly IContent[];
  readonly texts?: readonly TextPlace[];
  /** Memory that each entry takes, with its texts; what the sender has not measured the replica measures. */
  readonly bytes?: readonly number[];
}

/** The replica applies its own result of request `sequence`: the main thread has accepted it. */
export interface Accept {
  readonly kind: 'accept';
  readonly sequence: number;
}

/** `entries` replace those at `indices`, one each, and those at `removals` are removed. All indices are those before it. */
export interface Patch {
  readonly kind: 'patch';
  readonly indices: readonly number[];
  readonly entries: readonly IContent[];
  readonly texts?: readonly TextPlace[];
  readonly bytes?: readonly number[];
  readonly removals: readonly number[];
}

export type Change = TextPart | Splice | Patch | Accept;

/** Only keeps the replica in step. */
export interface SynchroniseTask {
  readonly kind: 'synchronise';
}

/**
 * Counts entries `[from, to)` of a list. `fresh` ignores kept counts (docs/readings.md, row 28). Of the history it answers as
 * many counts as `budgetBytes` of text allow, one at least; of loose entries all, which are forgotten then.
 */
export interface CountTask {
  readonly kind: 'count';
  readonly family: FamilyName;
  readonly list: ListName;
  readonly from: number;
  readonly to: number;
  readonly fresh: boolean;
  readonly budgetBytes: number;
}

/**
 * Optimises the first `length` entries: what was appended since the caller asked is not part of its question. The answer
 * also has the counts of those from `countFrom` on, as many as `budgetBytes` of text allow.
 */
export interface OptimizeTask {
  readonly kind: 'optimize';
  readonly strategy: string;
  readonly vocabulary: string;
  readonly family: FamilyName;
  readonly config: DensityConfig;
  /** Whether the answer is to have the lines of the log. */
  readonly isLogged: boolean;
  readonly length: number;
  readonly countFrom: number;
  readonly budgetBytes: number;
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
  readonly length: number;
}

/** The next parts of the result of the last `optimize` or `compress`, when it did not fit into one reply. */
export interface ContinueTask {
  readonly kind: 'continue';
  /** Entries of the history that the result is of. */
  readonly length: number;
}

/** Forgets the replica. */
export interface ReleaseTask {
  readonly kind: 'release';
}

export type Task = SynchroniseTask | CountTask | OptimizeTask | CompressTask | ContinueTask | ReleaseTask;

/**
 * One request to a thread. The replica must have `(generation, baseRevision)` and expect `sequence`, or answers
 * `need-snapshot`; a request with `baseRevision` 0 starts a replica. Changes bring it to `revision`.
 */
export interface Request {
  readonly version: ProtocolVersion;
  readonly historyId: string;
  /** How often the whole history was sent, which starts its replica again. */
  readonly generation: number;
  readonly baseRevision: number;
  readonly revision: number;
  readonly sequence: number;
  readonly changes: readonly Change[];
  readonly task: Task;
  /** One 32-bit flag; not zero: stop at the next check and answer `cancelled`. */
  readonly cancelFlag: Int32Array;
  /** Reports of this and later requests are sent here, until another port arrives. */
  readonly progress?: MessagePort;
}

/** Fields of a block that changed, and those that were removed; `'nothing'`: the block was removed. Kept blocks are not named. */
export interface BlockEdit {
  readonly block: number;
  readonly becomes: 'nothing' | { readonly set: Partial<ContentBlock>; readonly unset: readonly string[] };
}

/** An entry that changed: entry `from` with some blocks edited, or whole where it cannot be said so. `tokens` is its new count. */
export type Revised = { readonly from: number; readonly tokens: number } & (
  | { readonly blocks: readonly BlockEdit[] }
  | { readonly content: IContent }
);

/** Some edits of a density result: numbers that `editsOfPart` reads, and the reasons that they refer to. */
export interface EditsPart {
  readonly edits: Int32Array;
  readonly reasons: readonly EditReason[];
}

/** Part of a rebuilt history: entries `[keepFrom, keepTo)` as they were, or one that changed. Entries not named are removed. */
export type HistoryPart = { readonly keepFrom: number; readonly keepTo: number } | Revised;

/** Part of a result that is too long for one reply. */
export type ResultPart = HistoryPart | EditsPart;

/** One line for the log of the calling thread. */
export type LogLine = readonly [message: string, details?: unknown];

export type CountData = number | { readonly error: ErrorData };

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'need-snapshot' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'counts'; readonly counts: readonly CountData[] }
  | {
      readonly kind: 'optimized';
      readonly removals: readonly number[];
      /** The replacements, and the edits where the strategy gives any. */
      readonly parts: readonly ResultPart[];
      readonly hasEdits: boolean;
      readonly metadata: DensityResultMetadata;
      readonly counts: readonly CountData[];
      readonly logged: readonly LogLine[];
      /** Whether `continue` brings further parts. */
      readonly hasMore: boolean;
    }
  | {
      readonly kind: 'compressed';
      readonly parts: readonly ResultPart[];
      readonly metadata: CompressionResultMetadata;
      readonly logged: readonly LogLine[];
      readonly hasMore: boolean;
    }
  | { readonly kind: 'continued'; readonly parts: readonly ResultPart[]; readonly hasMore: boolean }
  | { readonly kind: 'failed'; readonly error: ErrorData };

/** The work and the memory of a thread, for `stats()`. */
export interface ThreadFigures {
  readonly threadId: number;
  readonly replicas: number;
  readonly replicaBytes: number;
}

export interface Reply {
  readonly version: ProtocolVersion;
  readonly historyId: string;
  readonly generation: number;
  readonly revision: number;
  readonly sequence: number;
  readonly outcome: Outcome;
  /** Text counted for this request. */
  readonly countedBytes: number;
  readonly figures: ThreadFigures;
}

/** The progress of a thread since it got its progress port. */
export interface ThreadProgress {
  readonly synchronisedEntries: number;
  readonly synchronisedBytes: number;
  readonly countedEntries: number;
  readonly countedTokens: number;
}
