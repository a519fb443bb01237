/** The typed text, and the cursor as an offset in UTF-16 units. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

export type EditAction =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'replace'; readonly start: number; readonly text: string }
  | {
      readonly kind:
        | 'backspace'
        | 'delete'
        | 'left'
        | 'right'
        | 'start'
        | 'end'
        | 'cut-to-start'
        | 'cut-to-end'
        | 'cut-word'
        | 'word-left'
        | 'word-right'
        | 'clear';
    };

export const EMPTY_LINE: EditedLine = { text: '', cursor: 0 };

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The start of the character before `cursor`. Graphemes are never split. */
function before({ text, cursor }: EditedLine): number {
  let last = 0;
  for (const { index } of SEGMENTS.segment(text.slice(0, cursor))) last = index;
  return last;
}

function behind({ text, cursor }: EditedLine): number {
  const [next] = SEGMENTS.segment(text.slice(cursor));
  return cursor + (next?.segment.length ?? 0);
}

const wordStart = ({ text, cursor }: EditedLine): number => /\S*\s*$/.exec(text.slice(0, cursor))!.index;
const wordEnd = ({ text, cursor }: EditedLine): number => cursor + /^\s*\S*/.exec(text.slice(cursor))![0].length;
const lineStart = ({ text, cursor }: EditedLine): number => text.lastIndexOf('\n', cursor - 1) + 1;

function lineEnd({ text, cursor }: EditedLine): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

/** `line` without the text from `start` to `end`. */
const without = ({ text }: EditedLine, start: number, end: number): EditedLine => ({
  text: text.slice(0, start) + text.slice(end),
  cursor: start,
});

/** The line after one step of editing. */
export function edited(line: EditedLine, action: EditAction): EditedLine {
  const { text, cursor } = line;
  switch (action.kind) {
    case 'insert':
      return {
        text: text.slice(0, cursor) + action.text + text.slice(cursor),
        cursor: cursor + action.text.length,
      };
    case 'replace':
      return {
        text: text.slice(0, action.start) + action.text + text.slice(cursor),
        cursor: action.start + action.text.length,
      };
    case 'backspace':
      return without(line, before(line), cursor);
    case 'delete':
      return without(line, cursor, behind(line));
    case 'left':
      return { text, cursor: before(line) };
    case 'right':
      return { text, cursor: behind(line) };
    case 'start':
      return { text, cursor: lineStart(line) };
    case 'end':
      return { text, cursor: lineEnd(line) };
    case 'cut-to-start':
      return without(line, lineStart(line), cursor);
    case 'cut-to-end':
      return without(line, cursor, lineEnd(line));
    case 'cut-word':
      return without(line, wordStart(line), cursor);
    case 'word-left':
      return { text, cursor: wordStart(line) };
    case 'word-right':
      return { text, cursor: wordEnd(line) };
    case 'clear':
      return EMPTY_LINE;
  }
}

/** Earlier lines to recall. The line that was begun remains at the end. */
export class TypedHistory {
  readonly #lines: string[] = [];
  #at = 0;
  #begun = '';

  add(text: string): void {
    if (text !== this.#lines.at(-1)) this.#lines.push(text);
    this.#at = this.#lines.length;
  }

  /** The line before or after the shown one; undefined if there is none. */
  go(direction: 'back' | 'forth', shown: string): string | undefined {
    const next = this.#at + (direction === 'back' ? -1 : 1);
    if (next < 0 || next > this.#lines.length) return undefined;
    if (this.#at === this.#lines.length) this.#begun = shown;
    this.#at = next;
    return this.#lines[next] ?? this.#begun;
  }
}

/** The longest start that all words share. */
export function sharedStart(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
