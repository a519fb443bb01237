import { LEAST_LINE_CHARS } from '../../../content/lines/comparable-line.ts';
import { lineHash } from '../../../content/lines/line-hash.ts';

/** A line number that a tool wrote before a line, with nothing of the indentation after it. */
const NUMBER = /^\s*L?(\d+)(?:→|\t|: ?| ?\| ?)/;
const NOTE = /^\[\d+ lines(?:, \d+ to \d+,)? as shown above by .*\]$/;
const NOTES = new RegExp(NOTE.source, 'gm');

/** The lines of a text, to be compared with those of others. */
export interface TextLines {
  /** Where each line starts; at last where the next one would. */
  readonly starts: readonly number[];
  /** Of the line without its number and the blanks at its end; NaN, which equals nothing, for a note. */
  readonly hashes: readonly number[];
  /** The numbers that a tool wrote before the lines. */
  readonly numbers: readonly (number | undefined)[];
  /** The lines that are long enough to say something. */
  readonly landmarks: readonly number[];
}

/** Text of a history, by which its lines are cached: blocks are immutable. */
type Owner = object;

const cache = new WeakMap<Owner, readonly TextLines[]>();

/** The lines of each text of a block. Linear. */
export function textLines(owner: Owner, texts: readonly string[]): readonly TextLines[] {
  let lines = cache.get(owner);
  if (lines === undefined) {
    lines = texts.map(linesOf);
    cache.set(owner, lines);
  }
  return lines;
}

function linesOf(text: string): TextLines {
  const lines = text.split('\n');
  const written = lines.map(writtenNumber);
  const numbers = written.map((number, at) => (isInSequence(written, at) ? number : undefined));
  const starts = [0];
  const hashes: number[] = [];
  const landmarks: number[] = [];
  for (const [at, line] of lines.entries()) {
    starts.push(starts[at]! + line.length + 1);
    const plain = (numbers[at] === undefined ? line : line.replace(NUMBER, '')).trimEnd();
    const isNote = NOTE.test(plain);
    hashes.push(isNote ? Number.NaN : lineHash(plain));
    if (!isNote && plain.trimStart().length >= LEAST_LINE_CHARS) landmarks.push(at);
  }
  return { starts, hashes, numbers, landmarks };
}

function writtenNumber(line: string): number | undefined {
  const found = NUMBER.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** True if a neighbour has the next number, or the one before: a line of a log may begin with any number. */
function isInSequence(numbers: readonly (number | undefined)[], at: number): boolean {
  const own = numbers[at];
  return own !== undefined && (numbers[at - 1] === own - 1 || numbers[at + 1] === own + 1);
}

/** What stands in place of lines `first` to `last` that the call with this label shows; nothing else is lost with them. */
export function noteOf(
  { numbers }: TextLines,
  { first, last }: { first: number; last: number },
  label: string,
): string {
  const range =
    numbers[first] === undefined || numbers[last] === undefined ? '' : `, ${numbers[first]} to ${numbers[last]},`;
  return `[${last - first + 1} lines${range} as shown above by ${label}]`;
}

/** `text` without such notes. */
export const withoutRepeatNotes = (text: string): string =>
  text.includes(' as shown above by ') ? text.replace(NOTES, '') : text;
