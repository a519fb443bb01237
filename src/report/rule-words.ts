import type { RemovalRule } from '../strategies/removal.ts';

/** What a rule takes away, and the unit it counts in: in words for a person. */
export interface RuleWords {
  readonly what: string;
  readonly one: string;
  readonly many: string;
}

/** What each rule does, in words. */
export const RULE_WORDS: Readonly<Record<RemovalRule, RuleWords>> = {
  readWritePairs: { what: 'reads of files written later', one: 'read', many: 'reads' },
  fileInclusions: { what: 'attached files attached again', one: 'file', many: 'files' },
  recency: { what: 'older results, or lines of them', one: 'result', many: 'results' },
  summarised: { what: 'results shortened', one: 'result', many: 'results' },
  dropped: { what: 'oldest entries dropped', one: 'entry', many: 'entries' },
};
