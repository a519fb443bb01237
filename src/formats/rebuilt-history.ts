import type { IContent } from '../content/content.ts';
import { isRecord } from '../content/foreign-value.ts';
import { jsonText } from './json/json-text.ts';

/** An entry, or the id of an earlier entry in the file. */
type RebuiltItem = string | IContent;

/** A line of our own sessions that replaces the history. */
export interface RebuiltHistory {
  readonly history: readonly unknown[];
}

/** True if the value of a line is such a line. */
export const isRebuiltHistory = (value: unknown): value is RebuiltHistory =>
  isRecord(value) && !('speaker' in value) && Array.isArray(value['history']);

/** True if two entries are equal, field by field. */
export const isSameEntry = (one: IContent, other: IContent): boolean =>
  one === other || jsonText(one, 'an entry') === jsonText(other, 'an entry');

/** `history` for such a line: an entry that is unchanged in `known` is written as its id. */
export function rebuiltItems(history: readonly IContent[], known: ReadonlyMap<string, IContent>): RebuiltItem[] {
  return history.map((entry) => {
    const { id } = entry.metadata ?? {};
    const before = id === undefined ? undefined : known.get(id);
    return id !== undefined && before !== undefined && isSameEntry(before, entry) ? id : entry;
  });
}
