import { append } from '../../content/append.ts';
import type { IContent } from '../../content/content.ts';
import type { Line } from '../contract.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { type BlockEdit, compareHistories } from '../lines/edits.ts';
import { LineEdits, type LinePlace, writeLines } from '../lines/line-edits.ts';
import { assertRestartable, parseLine } from '../lines/lines.ts';
import { newItems } from './create.ts';
import { itemChanges, type PlacedEntry, type PlacedItem } from './item.ts';
import { readRollout } from './read.ts';

const HISTORY: JsonPath = ['payload', 'replacement_history'];

/** The position of an item: its line, or an element of a compacted history. */
const placeOf = ({ line, index }: PlacedItem): LinePlace => ({
  line,
  path: index === undefined ? ['payload'] : [...HISTORY, index],
});

/**
 * The changes of the items of an entry, for these edits of its blocks. Reasoning is removed if all items after it are removed: the Responses API
 * rejects a reasoning item "without its required following item".
 */
export function entryChanges({ items }: PlacedEntry, edits: readonly BlockEdit[]): ('remove' | JsonChange[])[] {
  if (edits.every(({ kind }) => kind === 'drop')) return items.map(() => 'remove');
  let start = 0;
  const changes = items.map(({ item, payload }) => {
    const own = edits.slice(start, start + item.blocks.length);
    start += item.blocks.length;
    return itemChanges(payload, item, own);
  });
  for (const [at, { item }] of items.entries()) {
    if (item.kind !== 'reasoning') continue;
    let from = at + 1;
    while (items[from]?.item.kind === 'reasoning') from++;
    let to = from;
    while (to < items.length && items[to]?.item.kind !== 'reasoning') to++;
    if (to > from && changes.slice(from, to).every((change) => change === 'remove')) changes[at] = 'remove';
  }
  return changes;
}

function planEdits(live: readonly PlacedEntry[], history: readonly IContent[]): LineEdits<unknown> {
  const entries = live.map(({ entry }) => entry);
  const { entries: entryEdits, added } = compareHistories(entries, history);
  const edits = new LineEdits<unknown>();
  const placedById = new Map(live.map((placed) => [placed.entry.metadata?.id, placed]));
  for (const placed of live) {
    const own = entryEdits.get(placed.entry.metadata?.id ?? '')!;
    for (const [at, changes] of entryChanges(placed, own).entries()) {
      if (changes.length > 0) edits.change(placeOf(placed.items[at] as PlacedItem), changes);
    }
  }
  for (const { content, afterId } of added) {
    const items = newItems(content);
    const last = afterId === undefined ? undefined : placedById.get(afterId)?.items.at(-1);
    const first = live[0]?.items[0];
    if (last) edits.add(items, placeOf(last), 'behind');
    else if (first) edits.add(items, placeOf(first), 'before');
    else append(edits.at(1).behind, items);
  }
  return edits;
}

/** New items in lines like the one next to them; in a compacted history, only the items. */
function newLines(items: readonly unknown[], beside: Line | undefined): readonly unknown[] {
  if (beside === undefined) return items;
  const parsed = parseLine(beside);
  const timestamp = parsed.kind === 'json' ? (parsed.value as { timestamp?: unknown }).timestamp : undefined;
  return items.map((payload) => ({ timestamp, type: 'response_item', payload }));
}

/**
 * The rollout with its live history changed. A line is removed with its last block; items in the last
 * `replacement_history` change in place. Lines for the screen (`event_msg`) and lines that are not live are kept. Reasoning
 * is removed with the calls after it.
 */
export function* writeRollout(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { live } = readRollout(lines);
  yield* writeLines(lines, planEdits(live, history), newLines);
}
