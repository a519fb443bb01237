import { afterBlanks } from '../../../content/lines/line-hash.ts';

/** Lines `first` to `last`, with a number each, one more than that of the line before it. */
export interface NumberedLines {
  readonly first: number;
  readonly last: number;
  readonly number: number;
}

/** What stands before the lines of a text. */
export interface Numbering {
  /** Where each line starts, and where one after the last would. */
  readonly starts: readonly number[];
  /** Characters of what looks like a number before each line, with what is between them. */
  readonly lengths: readonly number[];
  /** The lines whose number it is, in order. */
  readonly numbered: readonly NumberedLines[];
}

/** A number with a tab, the tab alone, and anything else. */
const OTHER = 0;
const TABBED = 1;
const BARE = 2;

/** Every line whose number is a multiple of this has it in the form with tenth numbers. */
export const NUMBERS_APART = 10;

/** The lines of a text and their numbers, also those that are counted from the number above. `units` are those of the text. Linear. */
export function numberingOf(text: string, units: Uint16Array): Numbering {
  const starts = [0];
  const written: (number | undefined)[] = [];
  const lengths: number[] = [];
  const kinds: number[] = [];
  for (let start = 0; start <= text.length; start = starts.at(-1)!) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    starts.push(end + 1);
    const found = numberBefore(units, start, end);
    written.push(found && Number(text.slice(found.start, found.end)));
    lengths.push((found?.plain ?? start) - start);
    kinds.push(units[start] === TAB ? BARE : found && units[found.end] === TAB ? TABBED : OTHER);
  }
  const numbered = numberedLines(written, kinds, lengths);
  return { starts, lengths, numbered };
}

/** A longer number, or one so far from the start of its line, is no number of a line. */
const MAX_DIGITS = 9;
const MAX_PREFIX = 1_000;

/** The number that a tool wrote before a line, its digits from `start` to `end`, and where the line itself starts; `undefined` if it has none. */
function numberBefore(
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

/**
 * A line of a log may begin with any number: at least two lines have one after the other, or as the form with tenth numbers has it.
 * There the tab alone is what stands before a line, which `lengths` then says.
 */
function numberedLines(
  written: readonly (number | undefined)[],
  kinds: readonly number[],
  lengths: number[],
): NumberedLines[] {
  const runs: NumberedLines[] = [];
  for (let first = 0; first < written.length; ) {
    const number = written[first];
    let end = first + 1;
    while (number !== undefined && written[end] === number + end - first) end++;
    for (const last = endOfTenths(end - 1, { written, kinds }); end < last; end++)
      if (kinds[end] === BARE) lengths[end] = 1;
    if (end - first > 1) runs.push({ first, last: end - 1, number: number! });
    first = end;
  }
  return runs;
}

/** The end of a run of lines in which only tenth lines have their number and the others only the tab. A run needs another number that proves this. */
function endOfTenths(
  first: number,
  { written, kinds }: { written: readonly (number | undefined)[]; kinds: readonly number[] },
): number {
  let end = first + 1;
  let isSaid = false;
  for (; kinds[first] === TABBED && end < written.length; end++) {
    const number = written[first]! + end - first;
    const isTenth = number % NUMBERS_APART === 0;
    if (isTenth ? written[end] !== number || kinds[end] !== TABBED : kinds[end] !== BARE) break;
    isSaid ||= isTenth && end - first > 1;
  }
  return isSaid ? end : first;
}

const TAB = 9;
const SPACE = 32;
const COLON = 58;
const LETTER_L = 76;
const BAR = 124;
const ARROW = 0x2192;

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

/** The place where a line continues after the sign between its number and its text: `→`, a tab, `: ` or ` | `; `undefined` if nothing does. */
function afterSeparator(units: Uint16Array, start: number, lineEnd: number): number | undefined {
  const isAt = (at: number, unit: number): boolean => at < lineEnd && units[at] === unit;
  if (isAt(start, ARROW) || isAt(start, TAB)) return start + 1;
  const bar = isAt(start, SPACE) ? start + 1 : start;
  const end = isAt(start, COLON) ? start + 1 : isAt(bar, BAR) ? bar + 1 : undefined;
  return end !== undefined && isAt(end, SPACE) ? end + 1 : end;
}
