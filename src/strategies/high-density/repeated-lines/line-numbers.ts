import { afterBlanks } from '../../../content/lines/line-hash.ts';

/** Lines `first` to `last`, with a number each, one more than that of the line before it. */
export interface NumberedLines {
  readonly first: number;
  readonly last: number;
  readonly number: number;
}

/** A longer number, or one so far from the start of its line, is no number of a line. */
const [MAX_DIGITS, MAX_PREFIX] = [9, 1_000] as const;

/** The number that a tool wrote before a line, its digits from `start` to `end`, and where the line itself starts; `undefined` if it has none. */
export function numberBefore(
  units: Uint16Array,
  lineStart: number,
  lineEnd: number,
): { start: number; end: number; plain: number } | undefined {
  const digits = digitsFrom(units, lineStart, lineEnd);
  if (digits === undefined || digits.end - digits.start > MAX_DIGITS || digits.end - lineStart > MAX_PREFIX)
    return undefined;
  const plain = afterSeparator(units, digits.end, lineEnd);
  return plain === undefined ? undefined : { ...digits, plain };
}

/** A line of a log may begin with any number: at least two lines have one after the other. */
export function numberedLines(written: readonly (number | undefined)[]): NumberedLines[] {
  const runs: NumberedLines[] = [];
  for (let first = 0; first < written.length; ) {
    const number = written[first];
    let end = first + 1;
    while (number !== undefined && written[end] === number + end - first) end++;
    if (end - first > 1) runs.push({ first, last: end - 1, number: number! });
    first = end;
  }
  return runs;
}

const [TAB, SPACE, COLON, LETTER_L, BAR, ARROW] = [9, 32, 58, 76, 124, 0x2192] as const;

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
