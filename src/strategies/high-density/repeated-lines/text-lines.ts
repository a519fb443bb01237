import { madeOnce } from '../../../content/group-by.ts';
import { MIN_LINE_CHARS } from '../../../content/lines/comparable-line.ts';
import { afterBlanks, isBlank, unitsHash } from '../../../content/lines/line-hash.ts';
import { textUnits } from '../../../content/lines/text-units.ts';
import { hasMarker, NUMBER_BEFORE_MARKER } from '../shapers/markers.ts';
import { type NumberedLines, numberingOf } from './line-numbers.ts';

/** A marker on a line of its own; earlier versions put lines in square brackets. */
const NOTE = /^(?:⟦density: .*⟧|\[\d+ lines(?:, \d+ to \d+,)? as shown above by .*\])$/;
/** An agent that numbers the lines of a text after the marker was put in it numbers the marker too. */
const NOTES = new RegExp(`${NUMBER_BEFORE_MARKER.source}${NOTE.source.slice(1)}`, 'gm');

/** A shorter run of lines that are sent already stays. Source: docs/strategies.md, "New text". */
export const MIN_RUN_CHARACTERS = 300;

/** Lines that are too short to say something, landmarks, and markers, which equal no line. */
const SHORT = 0;
const LANDMARK = 1;
const MARKED = 2;
const KIND_BITS = 2;

interface TextFacts {
  /** Where each line starts, and where one after the last would. */
  readonly starts: Int32Array;
  /** The hash of each line without its number or sign and the blanks at its end. */
  readonly hashes: Int32Array;
  /** Of each line, the characters of the number that a tool wrote before it, with what is between them, or of its sign; then its kind. */
  readonly prefixes: Int32Array;
  /** In a diff, the hash of each line with its sign. */
  readonly signedHashes: Int32Array | undefined;
  /** The lines with numbers, in order. */
  readonly numbered: readonly NumberedLines[];
  /** The number of the text among those of its owner. */
  readonly at: number;
  readonly read: () => readonly string[];
}

/** The lines of a text, to be compared with those of others: three numbers a line. The text is not kept: who owns it may release it while nothing reads it. */
export class TextLines {
  readonly #facts: TextFacts;

  constructor(facts: TextFacts) {
    this.#facts = facts;
  }

  get count(): number {
    return this.#facts.hashes.length;
  }

  get at(): number {
    return this.#facts.at;
  }

  get text(): string {
    return this.#facts.read()[this.at]!;
  }

  startOf(line: number): number {
    return this.#facts.starts[line]!;
  }

  /** Where a line ends, without its line feed. */
  endOf(line: number): number {
    return this.#facts.starts[line + 1]! - 1;
  }

  /** Where a line starts without its number or sign. */
  plainStartOf(line: number): number {
    return this.startOf(line) + (this.#facts.prefixes[line]! >> KIND_BITS);
  }

  get isDiff(): boolean {
    return this.#facts.signedHashes !== undefined;
  }

  /** The sign of a line of a diff, `+`, `-` or a blank; empty for other lines. */
  signOf(line: number): string {
    return this.isDiff ? this.text.slice(this.startOf(line), this.plainStartOf(line)) : '';
  }

  /** The hash of a line without its number, but with its sign. */
  signedHashOf(line: number): number {
    return this.#facts.signedHashes?.[line] ?? this.hashOf(line);
  }

  hashOf(line: number): number {
    return this.#facts.hashes[line]!;
  }

  /** True for a line that is long enough to say something. */
  isLandmark(line: number): boolean {
    return (this.#facts.prefixes[line]! & 3) === LANDMARK;
  }

  /** True for a marker in place of lines. */
  isMarked(line: number): boolean {
    return (this.#facts.prefixes[line]! & 3) === MARKED;
  }

  /** The number that a tool wrote before a line; `undefined` if it has none. */
  numberOf(line: number): number | undefined {
    const { numbered } = this.#facts;
    let from = 0;
    let end = numbered.length;
    while (from < end) {
      const middle = (from + end) >> 1;
      if (numbered[middle]!.last < line) from = middle + 1;
      else end = middle;
    }
    const run = numbered[from];
    return run === undefined || run.first > line ? undefined : run.number + line - run.first;
  }
}

/** Text of a history, by which its lines are cached: blocks are immutable. */
type Owner = object;

const cache = new WeakMap<Owner, readonly TextLines[]>();

/** The lines of each text of a block; `read` gives its texts, at first and whenever one of them is compared. Linear. */
export const textLines = (owner: Owner, read: () => readonly string[]): readonly TextLines[] =>
  madeOnce(cache, owner, () => read().map((text, at) => linesOf(text, at, read)));

const BRACKET = 91;
const MARKER = 0x27e6;

function linesOf(text: string, at: number, read: () => readonly string[]): TextLines {
  const units = textUnits(text);
  const { starts, lengths, numbered } = numberingOf(text, units);
  const isDiff = numbered.length === 0 && DIFF.test(text);
  const hasNumber = new Uint8Array(lengths.length);
  for (const { first, last } of numbered) hasNumber.fill(1, first, last + 1);
  const lineCount = lengths.length;
  const hashes = new Int32Array(lineCount);
  const prefixes = new Int32Array(lineCount);
  const signedHashes = isDiff ? new Int32Array(lineCount) : undefined;
  for (let line = 0; line < lineCount; line++) {
    const start = starts[line]!;
    const isSigned = isDiff && SIGNED.test(text.slice(start, start + LONGEST_SIGN));
    const prefix = hasNumber[line] === 1 ? lengths[line]! : isSigned ? 1 : 0;
    const plain = start + prefix;
    const lineEnd = starts[line + 1]! - 1;
    const end = lastOf(units, plain, lineEnd);
    // Also with a number of its own.
    const shown = start + lengths[line]!;
    const isMarker = (units[shown] === BRACKET || units[shown] === MARKER) && NOTE.test(text.slice(shown, end));
    const isLong = end - afterBlanks(units, plain, end) >= MIN_LINE_CHARS;
    hashes[line] = unitsHash(units, plain, end);
    prefixes[line] = (prefix << KIND_BITS) | (isMarker ? MARKED : isLong ? LANDMARK : SHORT);
    if (signedHashes) signedHashes[line] = unitsHash(units, start, lastOf(units, start, lineEnd));
  }
  return new TextLines({ starts: Int32Array.from(starts), hashes, prefixes, signedHashes, numbered, at, read });
}

/** Where a line ends without the blanks at its end. */
function lastOf(units: Uint16Array, start: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > start && isBlank(units[end - 1]!)) end--;
  return end;
}

const DIFF = /^(?:diff --git |@@ -\d)/m;
/** A line of a diff, but for those that name its files. */
const SIGNED = /^(?:\+(?!\+\+ )|-(?!-- )| )/;
const LONGEST_SIGN = 4;

/** How many lines from these two on are the same: byte for byte, besides their numbers. */
export function sameLines(
  one: TextLines,
  first: number,
  { lines: other, from, isShown }: { lines: TextLines; from: number; isShown?: readonly boolean[] },
): number {
  const most = Math.min(one.count - first, other.count - from);
  const isSame = (at: number): boolean =>
    (isShown === undefined || isShown[from + at] === true) && isAlike(one, first + at, other, from + at);
  let alike = 0;
  while (alike < most && isSame(alike)) alike++;
  if (alike === 0) return 0;
  const text = one.text;
  const otherText = other.text;
  let count = 0;
  while (count < alike && plainLine(one, text, first + count) === plainLine(other, otherText, from + count)) count++;
  return count;
}

const isAlike = (one: TextLines, line: number, other: TextLines, otherLine: number): boolean =>
  one.hashOf(line) === other.hashOf(otherLine) && !one.isMarked(line) && !other.isMarked(otherLine);

/** A line without its number. */
const plainLine = (lines: TextLines, text: string, line: number): string =>
  text.slice(lines.plainStartOf(line), lines.endOf(line));

/** `text` without markers of lines. */
export const withoutRepeatNotes = (text: string): string =>
  text.includes(' as shown above by ') || hasMarker(text) ? text.replace(NOTES, '') : text;
