import { isDeepStrictEqual } from 'node:util';
import type { Line } from '../contract.ts';
import { type JsonChange, type JsonPath, spliceJson, within } from '../json/json-splice.ts';
import { jsonText } from '../json/json-text.ts';

/** Where a value stands in a JSONL file: its line, from 1, and the path to it inside the line. */
export interface LinePlace {
  readonly line: number;
  readonly path: JsonPath;
}

/** What becomes of one line; `New` is what new lines are made of. */
export interface LineEdit<New> {
  isRemoved: boolean;
  readonly changes: JsonChange[];
  /** What is new inside a list of this line; the path ends with the index of the element that it comes before. */
  readonly inserted: { readonly path: JsonPath; readonly contents: New[] }[];
  /** What is new before and behind this line. */
  readonly before: New[];
  readonly behind: New[];
}

/** Makes the values of new lines from what stands together; `beside` is the line that they stand at, absent in a list. */
type NewValues<New> = (contents: readonly New[], beside?: Line) => readonly unknown[];

const NEWLINE = 10;
const encoder = new TextEncoder();

/** What becomes of the lines of a file, by number. */
export class LineEdits<New> {
  readonly #edits = new Map<number, LineEdit<New>>();

  at(line: number): LineEdit<New> {
    let edit = this.#edits.get(line);
    if (!edit) {
      edit = { isRemoved: false, changes: [], inserted: [], before: [], behind: [] };
      this.#edits.set(line, edit);
    }
    return edit;
  }

  find(line: number): LineEdit<New> | undefined {
    return this.#edits.get(line);
  }

  /** A value changes or goes: an element of a list alone, any other with its line. */
  change({ line, path }: LinePlace, changes: 'remove' | readonly JsonChange[]): void {
    const edit = this.at(line);
    if (changes !== 'remove') edit.changes.push(...within(path, changes));
    else if (typeof path.at(-1) === 'number') edit.changes.push({ kind: 'remove', path });
    else edit.isRemoved = true;
  }

  /** What is new before or behind a value: in its list where it is an element of one, else in lines of their own. */
  add(contents: readonly New[], { line, path }: LinePlace, side: 'before' | 'behind'): void {
    const edit = this.at(line);
    const index = path.at(-1);
    if (typeof index !== 'number') {
      edit[side].push(...contents);
      return;
    }
    const place = [...path.slice(0, -1), side === 'before' ? index : index + 1];
    const same = edit.inserted.find((one) => isDeepStrictEqual(one.path, place));
    if (same) same.contents.push(...contents);
    else edit.inserted.push({ path: place, contents: [...contents] });
  }
}

/** The lines of a file with these edits made, every other byte as it was. */
export function* writeLines<New>(
  lines: Iterable<Line>,
  edits: LineEdits<New>,
  newValues: NewValues<New>,
): Generator<Uint8Array> {
  const newLines = (contents: readonly New[], beside: Line): Uint8Array[] =>
    contents.length === 0
      ? []
      : newValues(contents, beside).map((value) => encoder.encode(`${jsonText(value, 'a new line')}\n`));
  let line = 0;
  for (const bytes of lines) {
    const edit = edits.find(++line);
    if (!edit) {
      yield bytes;
      continue;
    }
    yield* newLines(edit.before, bytes);
    if (!edit.isRemoved) {
      const inserted = edit.inserted.map(
        ({ path, contents }): JsonChange => ({ kind: 'insert', path, values: newValues(contents) }),
      );
      const changed = spliceJson(bytes, [...edit.changes, ...inserted]);
      yield changed;
      if (edit.behind.length > 0 && changed.at(-1) !== NEWLINE) yield new Uint8Array([NEWLINE]);
    }
    yield* newLines(edit.behind, bytes);
  }
}
