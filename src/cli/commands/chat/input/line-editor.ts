/** The typed text, and the cursor as an offset in UTF-16 units. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

/** A step of editing; `replace`: from `start` to the cursor. */
export type EditAction =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'replace'; readonly start: number; readonly text: string }
  | { readonly kind: EditStep };

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

/** The line after each step that needs no text. */
const STEPS = {
  backspace: (line) => without(line, before(line), line.cursor),
  delete: (line) => without(line, line.cursor, behind(line)),
  left: (line) => ({ ...line, cursor: before(line) }),
  right: (line) => ({ ...line, cursor: behind(line) }),
  start: (line) => ({ ...line, cursor: lineStart(line) }),
  end: (line) => ({ ...line, cursor: lineEnd(line) }),
  'cut-to-start': (line) => without(line, lineStart(line), line.cursor),
  'cut-to-end': (line) => without(line, line.cursor, lineEnd(line)),
  'cut-word': (line) => without(line, wordStart(line), line.cursor),
  'word-left': (line) => ({ ...line, cursor: wordStart(line) }),
  'word-right': (line) => ({ ...line, cursor: wordEnd(line) }),
  clear: () => EMPTY_LINE,
} satisfies Readonly<Record<string, (line: EditedLine) => EditedLine>>;

export type EditStep = keyof typeof STEPS;

/** The line after one step of editing. */
export function edited(line: EditedLine, action: EditAction): EditedLine {
  if (action.kind !== 'insert' && action.kind !== 'replace') return STEPS[action.kind](line);
  const start = action.kind === 'insert' ? line.cursor : action.start;
  const text = line.text.slice(0, start) + action.text + line.text.slice(line.cursor);
  return { text, cursor: start + action.text.length };
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
