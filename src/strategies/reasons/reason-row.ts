import type { BlockPlace, CallPlace } from './call-place.ts';

/** Why a block is edited: plain data that can be sent to another thread. Each rule has types of its own. */
export interface Reason {
  /** The name of the reason. */
  readonly rule: string;
}

/** Names of calls and files for a person. */
export interface ReasonLabels {
  /** For example `replace in call 5`. */
  readonly call: (place: CallPlace) => string;
  readonly file: (path: string) => string;
}

/** A total of edits, with its name in `--json` and on disk. */
export interface CounterRow {
  readonly name: string;
  /** The field of the metadata of a result that it adds to. */
  readonly metadata?: 'readWritePairsPruned' | 'fileDeduplicationsPruned' | 'recencyPruned';
  /** What is counted, and its unit, for a person. */
  readonly what: string;
  readonly one: string;
  readonly many: string;
  /** For one removed text. */
  readonly badge: string;
}

/** The words of a certificate for edits with a reason, and the heading of their column on a page and in a terminal. */
export interface CertificateRow {
  readonly what: string;
  readonly page: string;
  readonly terminal: string;
}

/** Everything about one reason. Totals, certificates, tables and reports follow from it. */
export interface ReasonRow<Own extends Reason> {
  /** A counter of its own, or the name of one that another reason has. */
  readonly counter: CounterRow | string;
  /** The words for certificates, under the name of the reason; or the name of another reason that it is one of there. */
  readonly certificate: CertificateRow | string;
  /** True if an edit adds to the counter; absent: each edit does. */
  isCounted?(edit: BlockPlace & { readonly reason: Own }): boolean;
  /** The reason as one sentence for a person, without a full stop. */
  sentence(reason: Own, labels: ReasonLabels): string;
}

/** `a`, `a and b`, `a, b and c`. */
export function andList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
