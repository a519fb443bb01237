import { LEAST_LINE_CHARS } from '../../../content/lines/comparable-line.ts';
import { afterBlanks, isBlank, unitsHash } from '../../../content/lines/line-hash.ts';
import { textUnits } from '../../../content/lines/text-units.ts';

/** A marker on a line of its own; earlier versions put lines in square brackets. */
const NOTE = /^(?:⟦density: .*⟧|\[\d+ lines(?:, \d+ to \d+,)? as shown above by .*\])$/;
const NOTES = new RegExp(NOTE.source, 'gm');

/** The lines of a text, to be compared with those of others. */
export interface TextLines {
  /** Not kept here: who owns it may release it while nothing reads it. */
  readonly text: string;
  /** The number of the text among those of its owner. */
  readonly at: number;
  /** Where each line starts; at last where the next one would. */
  readonly starts: Int32Array;
  /** Where it begins without its number. */
  readonly plainStarts: Int32Array;
  /** Of the line without its number and the blanks at its end; NaN, which equals nothing, for a note. */
  readonly hashes: Float64Array;
  /** The numbers that a tool wrote before the lines. */
  readonly numbers: readonly (number | undefined)[];
  /** 1 for a line that is long enough to say something. */
  readonly isLandmark: Uint8Array;
}

/** Text of a history, by which its lines are cached: blocks are immutable. */
type Owner = object;

const cache = new WeakMap<Owner, readonly TextLines[]>();

/** The lines of each text of a block; `read` gives its texts, at first and whenever one of them is compared. Linear. */
export function textLines(owner: Owner, read: () => readonly string[]): readonly TextLines[] {
  let lines = cache.get(owner);
  if (lines === undefined) {
    lines = read().map((text, at) => linesOf(text, at, () => read()[at]!));
    cache.set(owner, lines);
  }
  return lines;
}

const NO_NUMBERS: TextLines['numbers'] = [];

function linesOf(text: string, index: number, read: () => string): TextLines {
  const units = textUnits(text);
  const starts = [0];
  const written: (number | undefined)[] = [];
  const plainStarts: number[] = [];
  for (let start = 0; start <= text.length; start = starts.at(-1)!) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    starts.push(end + 1);
    const digits = digitsFrom(units, start, end);
    const plain = digits === undefined ? undefined : afterSeparator(units, digits.end, end);
    written.push(plain === undefined ? undefined : Number(text.slice(digits!.start, digits!.end)));
    plainStarts.push(plain ?? start);
  }
  const numbers = written.map((number, at) => (isInSequence(written, at) ? number : undefined));
  const hashes = new Float64Array(numbers.length);
  const isLandmark = new Uint8Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at] === undefined) plainStarts[at] = starts[at]!;
    const start = plainStarts[at]!;
    let end = starts[at + 1]! - 1;
    while (end > start && isBlank(units[end - 1]!)) end--;
    const isNote = (units[start] === BRACKET || units[start] === MARKER) && NOTE.test(text.slice(start, end));
    hashes[at] = isNote ? Number.NaN : unitsHash(units, start, end);
    if (!isNote && end - afterBlanks(units, start, end) >= LEAST_LINE_CHARS) isLandmark[at] = 1;
  }
  return {
    get text() {
      return read();
    },
    at: index,
    starts: Int32Array.from(starts),
    plainStarts: Int32Array.from(plainStarts),
    hashes,
    // Most texts have none.
    numbers: numbers.some((number) => number !== undefined) ? numbers : NO_NUMBERS,
    isLandmark,
  };
}

const [TAB, SPACE, COLON, LETTER_L, BRACKET, BAR, ARROW, MARKER] = [9, 32, 58, 76, 91, 124, 0x2192, 0x27e6] as const;

/** The digits with which a line begins, after blanks and an `L`; `undefined` if it does not. */
function digitsFrom(
  units: Uint16Array,
  lineStart: number,
  lineEnd: number,
): { start: number; end: number } | undefined {
  const first = afterBlanks(units, lineStart, lineEnd);
  const start = units[first] === LETTER_L ? first + 1 : first;
  let end = start;
  while (end < lineEnd && units[end]! >= 48 && units[end]! <= 57) end++;
  return end === start ? undefined : { start, end };
}

/** Where a line goes on after what stands between its number and itself: `→`, a tab, `: ` or ` | `; `undefined` if nothing does. */
function afterSeparator(units: Uint16Array, start: number, lineEnd: number): number | undefined {
  const isAt = (at: number, unit: number): boolean => at < lineEnd && units[at] === unit;
  if (isAt(start, ARROW) || isAt(start, TAB)) return start + 1;
  const bar = isAt(start, SPACE) ? start + 1 : start;
  const end = isAt(start, COLON) ? start + 1 : isAt(bar, BAR) ? bar + 1 : undefined;
  return end !== undefined && isAt(end, SPACE) ? end + 1 : end;
}

/** True if a neighbour has the next number, or the one before: a line of a log may begin with any number. */
function isInSequence(numbers: readonly (number | undefined)[], at: number): boolean {
  const own = numbers[at];
  return own !== undefined && (numbers[at - 1] === own - 1 || numbers[at + 1] === own + 1);
}

/** How many lines from these two on are the same: byte for byte, besides their numbers. */
export function sameLines(
  one: TextLines,
  first: number,
  { lines: other, from }: { lines: TextLines; from: number },
): number {
  const most = Math.min(one.hashes.length - first, other.hashes.length - from);
  let alike = 0;
  while (alike < most && one.hashes[first + alike] === other.hashes[from + alike]) alike++;
  if (alike === 0) return 0;
  const [text, otherText] = [one.text, other.text];
  let count = 0;
  while (count < alike && plainLine(one, text, first + count) === plainLine(other, otherText, from + count)) count++;
  return count;
}

/** A line without its number. */
const plainLine = ({ plainStarts, starts }: TextLines, text: string, line: number): string =>
  text.slice(plainStarts[line], starts[line + 1]! - 1);

/** `text` without markers of lines. */
export const withoutRepeatNotes = (text: string): string =>
  text.includes(' as shown above by ') || text.includes('⟦density: ') ? text.replace(NOTES, '') : text;
