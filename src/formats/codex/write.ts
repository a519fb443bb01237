import type { IContent } from '../../content/content.ts';
import type { Line } from '../contract.ts';
import { type BlockEdit, compareHistories, type EntryEdit } from '../edits.ts';
import { type Insertion, insertElements } from '../json-insert.ts';
import { type JsonChange, type JsonPath, spliceJson } from '../json-splice.ts';
import { assertRestartable, parseLine } from '../lines.ts';
import { newItems } from './create.ts';
import { itemChanges, type PlacedEntry, type PlacedItem } from './item.ts';
import { readRollout } from './read.ts';

/** What becomes of one line of a rollout. */
interface LineEdit {
  isRemoved: boolean;
  readonly changes: JsonChange[];
  /** New elements of the `replacement_history` in this line. */
  readonly insertions: Insertion[];
  /** Items of new lines before and behind this one. */
  readonly before: unknown[];
  readonly behind: unknown[];
}

const NEWLINE = 10;
const HISTORY: JsonPath = ['payload', 'replacement_history'];
const encoder = new TextEncoder();

class LineEdits {
  readonly #edits = new Map<number, LineEdit>();

  at(line: number): LineEdit {
    let edit = this.#edits.get(line);
    if (!edit) {
      edit = { isRemoved: false, changes: [], insertions: [], before: [], behind: [] };
      this.#edits.set(line, edit);
    }
    return edit;
  }

  find(line: number): LineEdit | undefined {
    return this.#edits.get(line);
  }

  item({ line, index }: PlacedItem, changes: 'remove' | readonly JsonChange[]): void {
    const edit = this.at(line);
    const prefix = index === undefined ? ['payload'] : [...HISTORY, index];
    if (changes !== 'remove') {
      edit.changes.push(...changes.map((change) => ({ ...change, path: [...prefix, ...change.path] })));
    } else if (index === undefined) edit.isRemoved = true;
    else edit.changes.push({ kind: 'remove', path: prefix });
  }
}

/** The edits of the blocks of each item, in order. */
function editsByItem(items: readonly PlacedItem[], edit: EntryEdit): (readonly BlockEdit[])[] {
  let start = 0;
  return items.map(({ item }) => {
    const end = start + item.blocks.length;
    const edits = edit.kind === 'change' ? edit.blocks.slice(start, end) : item.blocks.map(() => edit);
    start = end;
    return edits;
  });
}

/**
 * What becomes of the items of an entry that changed. Reasoning goes when every item that it led to goes: the
 * Responses API refuses a reasoning item "without its required following item".
 */
export function entryChanges({ items }: PlacedEntry, edit: EntryEdit): ('remove' | JsonChange[])[] {
  if (edit.kind === 'keep') return items.map(() => []);
  if (edit.kind === 'drop') return items.map(() => 'remove');
  const edits = editsByItem(items, edit);
  const changes = items.map(({ item, payload }, at) => itemChanges(payload, item, edits[at] ?? []));
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

/** Where new entries that stand first go: before the first live item, behind the header where there is none. */
function addFirst(edits: LineEdits, live: readonly PlacedEntry[], items: readonly unknown[]): void {
  const first = live[0]?.items[0];
  if (!first) edits.at(1).behind.push(...items);
  else if (first.index === undefined) edits.at(first.line).before.push(...items);
  else edits.at(first.line).insertions.push({ at: first.index, values: items });
}

function planEdits(live: readonly PlacedEntry[], history: readonly IContent[]): LineEdits {
  const entries = live.map(({ entry }) => entry);
  const { entries: entryEdits, added } = compareHistories(entries, history);
  const edits = new LineEdits();
  const placedById = new Map(live.map((placed) => [placed.entry.metadata?.id, placed]));
  for (const placed of live) {
    const edit = entryEdits.get(placed.entry.metadata?.id ?? '') ?? { kind: 'keep' };
    for (const [at, changes] of entryChanges(placed, edit).entries()) {
      if (changes.length > 0) edits.item(placed.items[at] as PlacedItem, changes);
    }
  }
  for (const { content, afterId } of added) {
    const items = newItems(content);
    const last = afterId === undefined ? undefined : placedById.get(afterId)?.items.at(-1);
    if (!last) addFirst(edits, live, items);
    else if (last.index === undefined) edits.at(last.line).behind.push(...items);
    else edits.at(last.line).insertions.push({ at: last.index + 1, values: items });
  }
  return edits;
}

/** Insertions with their indices as they are once the removed elements are gone, joined where they meet. */
function afterRemovals({ insertions, changes }: LineEdit): Insertion[] {
  const removed = changes.flatMap(({ kind, path }) =>
    kind === 'remove' && path.length === HISTORY.length + 1 ? path.at(-1) : [],
  );
  const joined = new Map<number, unknown[]>();
  for (const { at, values } of insertions) {
    const place = at - removed.filter((index) => Number(index) < at).length;
    joined.set(place, [...(joined.get(place) ?? []), ...values]);
  }
  return [...joined].map(([at, values]) => ({ at, values }));
}

function* newLines(items: readonly unknown[], neighbour: Line): Generator<Uint8Array> {
  if (items.length === 0) return;
  const parsed = parseLine(neighbour);
  const timestamp = parsed.kind === 'json' ? (parsed.value as { timestamp?: unknown }).timestamp : undefined;
  for (const payload of items)
    yield encoder.encode(`${JSON.stringify({ timestamp, type: 'response_item', payload })}\n`);
}

/**
 * The rollout with its live history changed. A line goes when all that it says goes; items inside the last
 * `replacement_history` change in place. Lines for the screen (`event_msg`) and those that are no longer live stay.
 * Of an answer that lost the calls its reasoning led to, the reasoning goes too.
 */
export function* writeRollout(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { live } = readRollout(lines);
  const edits = planEdits(live, history);
  let line = 0;
  for (const bytes of lines) {
    const edit = edits.find(++line);
    if (!edit) {
      yield bytes;
      continue;
    }
    yield* newLines(edit.before, bytes);
    if (!edit.isRemoved) {
      const changed = insertElements(spliceJson(bytes, edit.changes), HISTORY, afterRemovals(edit));
      yield changed;
      if (edit.behind.length > 0 && changed.at(-1) !== NEWLINE) yield new Uint8Array([NEWLINE]);
    }
    yield* newLines(edit.behind, bytes);
  }
}
