import type { IContent } from '../content/content.ts';
import type { Branch, LiveResult } from './branch.ts';
import { CHARACTERS_PER_TOKEN } from './dialects.ts';
import type { FrozenResult } from './frozen.ts';
import type { Labels } from './labels.ts';
import type { EarlierResults } from './shaping.ts';
import type { PlacedResult } from './waiting-edits.ts';

/** A result with its element. */
export interface ListedResult extends PlacedResult {
  readonly element: number;
}

/** The list of one request, flat. */
export interface History {
  readonly entries: IContent[];
  readonly tokens: number[];
  readonly results: ListedResult[];
  /** The first entry of each element, and after the last one the number of entries. */
  readonly starts: number[];
  /** The element after the last answer: its results, and those after it, were never sent. */
  readonly fresh: number;
}

export function historyOf({ elements }: Branch): History {
  const history: History = {
    entries: [],
    tokens: [],
    results: [],
    starts: [],
    fresh: elements.findLastIndex(({ isAnswer }) => isAnswer) + 1,
  };
  for (const [element, { entries, tokens, results }] of elements.entries()) {
    const start = history.entries.length;
    history.starts.push(start);
    for (const result of results) history.results.push({ result, element, at: start + result.entry });
    for (const entry of entries) history.entries.push(entry);
    for (const count of tokens) history.tokens.push(count);
  }
  history.starts.push(history.entries.length);
  return history;
}

/** What was sent before the result at `end`. */
export const earlierOf = (history: History, branch: Branch, end: number, labels: Labels): EarlierResults => ({
  results: history.results.slice(0, end).map(({ result }) => result),
  frozen: branch.decisions.results,
  calls: branch.calls,
  readTexts: branch.readTexts,
  labels,
});

/** The tokens of each entry as it is sent. */
export function sentTokens({ tokens, results }: History, frozen: ReadonlyMap<string, FrozenResult>): readonly number[] {
  const sent = [...tokens];
  for (const { result, at } of results) {
    const form = frozen.get(result.id);
    if (form) sent[at] = Math.max(0, sent[at]! - savedTokens(result, form));
  }
  return sent;
}

/** The tokens that the other form of a result saves, estimated. */
export const savedTokens = ({ text }: LiveResult, form: FrozenResult): number =>
  Math.round((text.length - form.text.length) / CHARACTERS_PER_TOKEN);
