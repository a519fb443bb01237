import { textUnits } from './text-units.ts';

/** Numbers that tools put before the lines of a file: `12→`, `12\t`, `12: `, `12|`, `L12: `, `00012| `. */
const LINE_NUMBER = /^\s*L?\d+(?:→|\t|:|\s?\|)\s?/;

/** A shorter line, such as `}` or `});`, stands everywhere and says nothing. */
const LEAST_CHARS = 4;

/** A line as it is compared: without a line number and blanks at both ends; '' for one too short to say anything. */
export function comparableLine(line: string): string {
  const trimmed = line.trim();
  if (trimmed.length < LEAST_CHARS) return '';
  const first = trimmed.charCodeAt(0);
  const mayBeNumbered = (first >= 48 && first <= 57) || first === 76;
  const plain = mayBeNumbered ? trimmed.replace(LINE_NUMBER, '').trim() : trimmed;
  return plain.length < LEAST_CHARS ? '' : plain;
}

/** The comparable lines of a text, in order, those left out that are shorter than `leastChars`, or too short at all. */
export function comparableLines(text: string, { leastChars = LEAST_CHARS } = {}): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = end - start < leastChars ? '' : comparableLine(text.slice(start, end));
    if (line.length >= leastChars) lines.push(line);
    start = end + 1;
  }
  return lines;
}

const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** A number that stands for a line: equal lines have equal ones, two others the same once in four milliards. Source: FNV-1a. */
export function lineMark(line: string): number {
  let hash = HASH_START;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), HASH_FACTOR);
  return hash | 0;
}

/** The mark of these units; `start` is the mark of what stands before them. */
export function unitsMark(units: Uint16Array, from: number, to: number, start = HASH_START): number {
  let hash = start;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ units[at]!, HASH_FACTOR);
  return hash | 0;
}

/** The marks of the comparable lines of these texts, in order. */
export function lineMarks(texts: readonly string[]): number[] {
  const marks: number[] = [];
  for (const text of texts) addLineMarks(textUnits(text), text.length, marks);
  return marks;
}

/** Adds to `marks` `lineMark` of each of `comparableLines` of a text as `textUnits`, in order. Linear, and copies no line. */
function addLineMarks(units: Uint16Array, length: number, marks: number[]): void {
  for (let start = 0; start <= length; ) {
    let end = start;
    while (end < length && units[end] !== NEWLINE) end++;
    const mark = markBetween(units, start, end);
    if (mark !== undefined) marks.push(mark);
    start = end + 1;
  }
}

/** `lineMark` of the `comparableLine` of the line at [`start`, `lineEnd`) of a text as `textUnits`; `undefined` where that is ''. */
export function markBetween(units: Uint16Array, start: number, lineEnd: number): number | undefined {
  let end = lineEnd;
  while (end > start && isBlank(units[end - 1]!)) end--;
  const first = afterBlanks(units, start, end);
  const plain = end - first < LEAST_CHARS ? end : afterLineNumber(units, first, end);
  return end - plain < LEAST_CHARS ? undefined : unitsMark(units, plain, end);
}

const [TAB, NEWLINE, COLON, LETTER_L, BAR, ARROW] = [9, 10, 58, 76, 124, 0x2192] as const;

/** By unit: 1 for what `trim` takes away. */
const BLANK = new Uint8Array(1 << 16);
const BLANKS = '\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff';
for (let at = 0; at < BLANKS.length; at++) BLANK[BLANKS.charCodeAt(at)] = 1;
BLANK.fill(1, 0x2000, 0x200b);

const isBlank = (unit: number): boolean => BLANK[unit] === 1;

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

function afterBlanks(units: Uint16Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(units[at]!)) at++;
  return at;
}

/** Where what follows `LINE_NUMBER` and blanks begins; `start` when there is no number. */
function afterLineNumber(units: Uint16Array, start: number, end: number): number {
  const digits = units[start] === LETTER_L ? start + 1 : start;
  let at = digits;
  while (at < end && isDigit(units[at]!)) at++;
  if (at === digits || at === end) return start;
  const separator = units[at]!;
  if (separator === ARROW || separator === TAB || separator === COLON || separator === BAR) at++;
  else if (at + 1 < end && units[at + 1] === BAR && isBlank(separator)) at += 2;
  else return start;
  return afterBlanks(units, at, end);
}
