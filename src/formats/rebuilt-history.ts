import type { IContent } from '../content/content.ts';
import { isRecord } from '../content/foreign-value.ts';
import { jsonText } from './json/json-text.ts';

/** An entry, or the id of one that stands earlier in the file. */
export type RebuiltItem = string | IContent;

/** What a line of our own sessions says the history is from there on. */
export interface RebuiltHistory {
  readonly history: readonly unknown[];
}

/** Whether the value of a line is such a one. */
export const isRebuiltHistory = (value: unknown): value is RebuiltHistory =>
  isRecord(value) && !('speaker' in value) && Array.isArray(value['history']);

/** Whether two entries say the same, field by field. */
export const isSameEntry = (one: IContent, other: IContent): boolean =>
  one === other || jsonText(one, 'an entry') === jsonText(other, 'an entry');

/** `history` as such a line holds it: what `known` has under the same id, unchanged, is named by that id. */
export function rebuiltItems(history: readonly IContent[], known: ReadonlyMap<string, IContent>): RebuiltItem[] {
  return history.map((entry) => {
    const { id } = entry.metadata ?? {};
    const before = id === undefined ? undefined : known.get(id);
    return id !== undefined && before !== undefined && isSameEntry(before, entry) ? id : entry;
  });
}
