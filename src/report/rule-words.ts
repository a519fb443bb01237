import type { CertificateRule, Counter } from '../strategies/edit-reason.ts';

/** What the rules of a counter remove, and the unit of the counter, for a person. */
export interface RuleWords {
  readonly what: string;
  readonly one: string;
  readonly many: string;
  /** For one removed text. */
  readonly badge: string;
}

export const RULE_WORDS: Readonly<Record<Counter, RuleWords>> = {
  readWritePairs: { what: 'reads of files written later', one: 'read', many: 'reads', badge: 'stale read' },
  fileInclusions: { what: 'attached files attached again', one: 'file', many: 'files', badge: 'attached again' },
  recency: { what: 'older results, or lines of them', one: 'result', many: 'results', badge: 'older result' },
  summarised: { what: 'results shortened', one: 'result', many: 'results', badge: 'shortened' },
  dropped: { what: 'oldest entries dropped', one: 'entry', many: 'entries', badge: 'dropped' },
};

/** What each rule removes, as the heading of a column. A terminal has less room than a page. */
export const RULE_HEADINGS: Readonly<Record<CertificateRule, { readonly page: string; readonly terminal: string }>> = {
  staleRead: { page: 'stale read', terminal: 'stale read' },
  supersededRead: { page: 'superseded read', terminal: 'superseded' },
  changedLines: { page: 'changed lines', terminal: 'lines' },
  repeatedInclusion: { page: 'repeated file', terminal: 'repeated file' },
  recency: { page: 'older result', terminal: 'recency' },
  summarised: { page: 'summarised', terminal: 'summarised' },
  dropped: { page: 'dropped', terminal: 'dropped' },
};
