import type { TextPosition } from '../content/inclusions.ts';

/** A block of the history that was optimised. */
export interface BlockPlace {
  readonly entry: number;
  readonly block: number;
}

/** A tool call of the history that was optimised. */
export interface CallPlace extends BlockPlace {
  readonly callId: string;
}

/** A call that read or wrote a file, by its absolute path. */
export interface FileCause {
  readonly file: string;
  readonly call: CallPlace;
}

/** Lines of a text, counted from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Every file that the read shows was written later. `causes`: for each file the first such write. */
export interface StaleRead {
  readonly rule: 'staleRead';
  readonly read: CallPlace;
  readonly causes: readonly FileCause[];
}

/**
 * A later call shows the same. `causes`: the call from which on every line was shown again, or the next one that asked
 * for just the same.
 */
export interface SupersededRead {
  readonly rule: 'supersededRead';
  readonly read: CallPlace;
  readonly causes: readonly FileCause[];
}

/** `lines` of the result were changed or are shown later. `causes`: the calls that did so, in order. */
export interface ChangedLines {
  readonly rule: 'changedLines';
  readonly read: CallPlace;
  readonly lines: readonly LineRange[];
  readonly causes: readonly FileCause[];
}

/** A file that a person attached was attached `again` later. `path` is as it was typed. */
export interface RepeatedInclusion {
  readonly rule: 'repeatedInclusion';
  readonly file: string;
  readonly path: string;
  readonly inclusion: { readonly entry: number; readonly start: TextPosition; readonly end: TextPosition };
  readonly again: BlockPlace;
}

/** Only the newest `retention` results of a tool are kept. */
export interface Recency {
  readonly rule: 'recency';
  readonly tool: string;
  readonly retention: number;
}

/**
 * The result of `call` was sent with `sentCalls` model calls. `files`: those that it reads, and only calls since the
 * last one that touched them are counted; none for a command or a search.
 */
export interface CarriedResult {
  readonly rule: 'carriedResult';
  readonly call: CallPlace;
  readonly files: readonly string[];
  readonly sentCalls: number;
}

/** A strategy that gives no reasons, or the last resort, put something shorter in place, or dropped it. */
export interface MadeRoom {
  readonly rule: 'summarised' | 'dropped';
  readonly strategy: string;
}

/** Why a block was removed or replaced: plain data, so that it can be sent to another thread. */
export type EditReason =
  | StaleRead
  | SupersededRead
  | ChangedLines
  | RepeatedInclusion
  | Recency
  | CarriedResult
  | MadeRoom;

export type EditRule = EditReason['rule'];

/** What a rule is called where results are added up (`counter`) and in the certificate of a comparison (`certificate`). */
interface RuleNames {
  readonly counter: Counter;
  readonly certificate: CertificateRule;
}

/** Several rules may share a counter. In the order in which tables show them. */
export const COUNTERS = ['readWritePairs', 'fileInclusions', 'recency', 'summarised', 'dropped'] as const;
export type Counter = (typeof COUNTERS)[number];

/** In the order in which tables show them. */
export const CERTIFICATE_RULES = [
  'staleRead',
  'supersededRead',
  'repeatedInclusion',
  'recency',
  'summarised',
  'dropped',
  'changedLines',
] as const;
export type CertificateRule = (typeof CERTIFICATE_RULES)[number];

/** Every rule, with the names of its fields in `--json` and on disk. */
export const EDIT_RULES: Readonly<Record<EditRule, RuleNames>> = {
  staleRead: { counter: 'readWritePairs', certificate: 'staleRead' },
  supersededRead: { counter: 'readWritePairs', certificate: 'supersededRead' },
  changedLines: { counter: 'recency', certificate: 'changedLines' },
  repeatedInclusion: { counter: 'fileInclusions', certificate: 'repeatedInclusion' },
  recency: { counter: 'recency', certificate: 'recency' },
  carriedResult: { counter: 'recency', certificate: 'recency' },
  summarised: { counter: 'summarised', certificate: 'summarised' },
  dropped: { counter: 'dropped', certificate: 'dropped' },
};

/** A record with a value for each of these names. */
export const recordOf = <Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
