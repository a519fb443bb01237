import { isDeepStrictEqual } from 'node:util';
import { append } from '../../content/append.ts';
import { madeOnce } from '../../content/group-by.ts';
import type { Line } from '../contract.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { spliceJson, within } from '../json/json-splice.ts';
import { jsonLine } from '../json/json-text.ts';
import { recordLines } from './record-lines.ts';

/** The position of a value in a JSONL file: its line, from 1, and its path in the line. */
export interface LinePlace {
  readonly line: number;
  readonly path: JsonPath;
}

/** The edit of one line; new lines are made from values of type `New`. */
export interface LineEdit<New> {
  isRemoved: boolean;
  readonly changes: JsonChange[];
  /** Additions to a list in this line; the path ends with the index of the next element. */
  readonly inserted: { readonly path: JsonPath; readonly contents: New[] }[];
  /** Additions before and after this line. */
  readonly before: New[];
  readonly behind: New[];
}

/** Makes the values of consecutive new lines; `beside` is the line next to them, absent in a list. */
type NewValues<New> = (contents: readonly New[], beside?: Line) => readonly unknown[];

const NEWLINE = 10;

/** The edits of the lines of a file, by number. */
export class LineEdits<New> {
  readonly #edits = new Map<number, LineEdit<New>>();

  at(line: number): LineEdit<New> {
    const make = (): LineEdit<New> => ({ isRemoved: false, changes: [], inserted: [], before: [], behind: [] });
    return madeOnce(this.#edits, line, make);
  }

  find(line: number): LineEdit<New> | undefined {
    return this.#edits.get(line);
  }

  /** Changes or removes a value: an element of a list, or any other value with its line. */
  change({ line, path }: LinePlace, changes: 'remove' | readonly JsonChange[]): void {
    const edit = this.at(line);
    if (changes !== 'remove') append(edit.changes, within(path, changes));
    else if (typeof path.at(-1) === 'number') edit.changes.push({ kind: 'remove', path });
    else edit.isRemoved = true;
  }

  /** Adds values before or after a value: in its list if it is an element of one, otherwise in new lines. */
  add(contents: readonly New[], { line, path }: LinePlace, side: 'before' | 'behind'): void {
    const edit = this.at(line);
    const index = path.at(-1);
    if (typeof index !== 'number') {
      append(edit[side], contents);
      return;
    }
    const place = [...path.slice(0, -1), side === 'before' ? index : index + 1];
    const same = edit.inserted.find((one) => isDeepStrictEqual(one.path, place));
    if (same) append(same.contents, contents);
    else edit.inserted.push({ path: place, contents: [...contents] });
  }
}

/** The lines of a file with these edits; every other byte is kept, except in damaged lines (`recordLines`). */
export function* writeLines<New>(
  lines: Iterable<Line>,
  edits: LineEdits<New>,
  newValues: NewValues<New>,
): Generator<Uint8Array> {
  const newLines = (contents: readonly New[], beside: Line): Uint8Array[] =>
    contents.length === 0 ? [] : newValues(contents, beside).map((value) => jsonLine(value, 'a new line'));
  let line = 0;
  for (const { bytes } of recordLines(lines)) {
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
