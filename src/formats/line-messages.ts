import type { IContent } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { Line } from './contract.ts';
import { compareHistories } from './edits.ts';
import { type Insertion, insertElements } from './json-insert.ts';
import { type JsonChange, type JsonPath, spliceJson } from './json-splice.ts';
import { jsonText } from './json-text.ts';
import { editsOf, type Message, type MessageDialect, type PlacedMessage } from './message-list.ts';

/** Where a message stands in a JSONL file: its line, from 1, and the path to it inside the line. */
interface LinePlace {
  readonly line: number;
  readonly path: JsonPath;
}

/** A live message of a JSONL file, and its entries. */
export interface LineMessage {
  readonly message: Message;
  readonly entries: PlacedMessage['entries'];
  /** Every place it is written at, in order: the last one counts, and the others would if that one went. */
  readonly places: readonly [LinePlace, ...LinePlace[]];
}

/** What becomes of one line. */
export interface LineEdit {
  isRemoved: boolean;
  readonly changes: JsonChange[];
  /** New entries inside a list of this line: the path of the list, and the index they come before. */
  readonly insertions: { readonly path: JsonPath; readonly at: number; readonly contents: IContent[] }[];
  /** New entries that stand before and behind this line. */
  readonly before: IContent[];
  readonly behind: IContent[];
}

const NEWLINE = 10;
const encoder = new TextEncoder();

/** What becomes of the lines of a file, by number. */
export class LineEdits {
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

  #remove({ line, path }: LinePlace): void {
    if (typeof path.at(-1) === 'number') this.at(line).changes.push({ kind: 'remove', path });
    else this.at(line).isRemoved = true;
  }

  message({ places }: LineMessage, changes: 'remove' | readonly JsonChange[]): void {
    if (changes === 'remove') {
      for (const place of places) this.#remove(place);
      return;
    }
    const { line, path } = places.at(-1) as LinePlace;
    this.at(line).changes.push(...changes.map((change) => ({ ...change, path: [...path, ...change.path] })));
  }

  /** A new entry behind a message, or before it: where it first stands, because that is its place in the order. */
  add(content: IContent, { places: [{ line, path }] }: LineMessage, side: 'before' | 'behind'): void {
    const index = path.at(-1);
    if (typeof index === 'number') {
      const at = side === 'before' ? index : index + 1;
      this.at(line).insertions.push({ path: path.slice(0, -1), at, contents: [content] });
    } else this.at(line)[side].push(content);
  }
}

/**
 * What becomes of the lines of a file when its live messages are to say `history`. A line goes when its message does,
 * but of a message in a list only the element. New entries stand behind the message of the entry before them; those
 * that come first stand before the first message, or behind the first line where there is none.
 */
export function planLines(
  live: readonly LineMessage[],
  history: readonly IContent[],
  dialect: MessageDialect,
): LineEdits {
  const { entries, added } = compareHistories(
    live.flatMap((one) => one.entries.map(({ entry }) => entry)),
    history,
  );
  const edits = new LineEdits();
  for (const one of live) {
    const own = editsOf(one, entries);
    if (own.some(({ edit }) => edit.kind !== 'keep')) edits.message(one, dialect.changes(one.message, own));
  }
  const messages = new Map(live.flatMap((one) => one.entries.map(({ entry }) => [entry.metadata?.id, one])));
  for (const { content, afterId } of added) {
    const before = afterId === undefined ? undefined : messages.get(afterId);
    if (before) edits.add(content, before, 'behind');
    else if (live[0]) edits.add(content, live[0], 'before');
    else edits.at(1).behind.push(content);
  }
  return edits;
}

/**
 * For agents that send the summary of a compaction before messages that stand in front of it: what is to come behind
 * the summary, the first of `live`, goes to the first of those.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when something new is to come before a summary that stays.
 */
export function moveBehindSummary(
  edits: LineEdits,
  [summary, second]: readonly LineMessage[],
  history: readonly IContent[],
): void {
  const line = summary?.places[0].line ?? 0;
  const edit = edits.find(line);
  if (!summary || !edit) return;
  const isKept = history.some(({ metadata }) =>
    summary.entries.some(({ entry }) => entry.metadata?.id === metadata?.id),
  );
  if (edit.before.length > 0 && isKept)
    throw new CompressionStrategyError(
      `Expected the summary of the compaction in line ${line} to come first or to go, got new entries in front of it. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  const isSecondInFront = second !== undefined && second.places[0].line < line;
  const moved = [...edit.before.splice(0), ...(isSecondInFront ? edit.behind.splice(0) : [])];
  if (isSecondInFront) edits.at(second.places[0].line).before.unshift(...moved);
  else edit.behind.unshift(...moved);
}

function insertionsOf(
  { changes, insertions }: LineEdit,
  create: (entries: readonly IContent[]) => readonly unknown[],
): { path: JsonPath; list: Insertion[] }[] {
  const lists = new Map<string, { path: JsonPath; byPlace: Map<number, IContent[]> }>();
  for (const { path, at, contents } of insertions) {
    const key = JSON.stringify(path);
    const list = lists.get(key) ?? { path, byPlace: new Map<number, IContent[]>() };
    lists.set(key, list);
    const gone = changes.filter(
      ({ kind, path: other }) => kind === 'remove' && other.length === path.length + 1 && Number(other.at(-1)) < at,
    ).length;
    list.byPlace.set(at - gone, [...(list.byPlace.get(at - gone) ?? []), ...contents]);
  }
  return [...lists.values()].map(({ path, byPlace }) => ({
    path,
    list: [...byPlace].map(([at, contents]) => ({ at, values: create(contents) })),
  }));
}

/** The lines of a file with these edits made, every other byte as it was. `create` makes the values of new lines. */
export function* writeLines(
  lines: Iterable<Line>,
  edits: LineEdits,
  create: (entries: readonly IContent[]) => readonly unknown[],
): Generator<Uint8Array> {
  const newLines = (contents: readonly IContent[]): Uint8Array[] =>
    contents.length === 0 ? [] : create(contents).map((value) => encoder.encode(`${jsonText(value, 'a new line')}\n`));
  let line = 0;
  for (const bytes of lines) {
    const edit = edits.find(++line);
    if (!edit) {
      yield bytes;
      continue;
    }
    yield* newLines(edit.before);
    if (!edit.isRemoved) {
      let changed = spliceJson(bytes, edit.changes);
      for (const { path, list } of insertionsOf(edit, create)) changed = insertElements(changed, path, list);
      yield changed;
      if (edit.behind.length > 0 && changed.at(-1) !== NEWLINE) yield new Uint8Array([NEWLINE]);
    }
    yield* newLines(edit.behind);
  }
}
