import type { TextPosition } from '../content/inclusions.ts';

/** The position of a block in the history before the step. */
export interface BlockPlace {
  readonly entry: number;
  readonly block: number;
}

/** The position of a tool call in the history before the step. */
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

/** Every file of the read was written later. `causes`: for each file its first such write. */
export interface StaleRead {
  readonly rule: 'staleRead';
  readonly read: CallPlace;
  readonly causes: readonly FileCause[];
}

/**
 * A later call shows the same. `causes`: the call after which every line had been shown again, or the next call with the
 * same parameters.
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
 * The result of `call` was sent with at least `leastSentCalls` model calls, the number of the rule. `files`: the files
 * that it reads; only model calls since the last use of them are counted. Empty for a command or a search.
 */
export interface CarriedResult {
  readonly rule: 'carriedResult';
  readonly call: CallPlace;
  readonly files: readonly string[];
  readonly leastSentCalls: number;
}

/** A strategy without reasons, or the last resort, replaced the block by a shorter one or removed it. */
export interface MadeRoom {
  readonly rule: 'summarised' | 'dropped';
  readonly strategy: string;
}

/** The reason why a block was removed or replaced: plain data that can be sent to another thread. */
export type EditReason =
  | StaleRead
  | SupersededRead
  | ChangedLines
  | RepeatedInclusion
  | Recency
  | CarriedResult
  | MadeRoom;

export type EditRule = EditReason['rule'];

/** The names of a rule in totals (`counter`) and in certificates (`certificate`). */
interface RuleNames {
  readonly counter: Counter;
  readonly certificate: CertificateRule;
}

/** Counters in the order of tables. Several rules may share one. */
export const COUNTERS = ['readWritePairs', 'fileInclusions', 'recency', 'summarised', 'dropped'] as const;
export type Counter = (typeof COUNTERS)[number];

/** Certificate names in the order of tables. */
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

/** A record with one value per name. */
export const recordOf = <Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
