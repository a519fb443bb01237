import type { ToolResponseBlock } from '../../../content/content.ts';
import { madeOnce } from '../../../content/group-by.ts';
import { oneLine } from '../../../content/lines/one-line.ts';
import { markerOf, markerWithWayBack } from '../shapers/markers.ts';
import { withAllNumbers } from './tenth-numbers.ts';
import type { TextLines } from './text-lines.ts';

/** Lines `first` to `last` of a text, counted from 0. */
interface NotedLines {
  readonly first: number;
  readonly last: number;
}

/** A note in a text: so many lines stand word for word in an earlier text. */
export interface LineNote {
  /** Where it starts and ends in its text. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** The number that a tool wrote before the first line; each next line has the next one. Absent: none has a number. */
  readonly firstNumber: number | undefined;
  /** The sign of a diff that stands before each of the lines; absent: none, or the lines that are shown have their own. */
  readonly sign?: string | undefined;
  /** The call that shows the lines. */
  readonly label: string;
  /** By which the lines are found again. */
  readonly check: string;
  /** True if it says how to get the text that was left out: a hook made it. */
  readonly hasWayBack: boolean;
}

/** The name of the text in which a note stands, where its lines stand further up in the same text. */
export const THIS_RESULT = 'this result';

const SIGN = ' above by ';
/** Earlier versions put it in square brackets. In a hook, it says how to get the text of the result. */
const NOTES =
  /^(?: *\d+(?:→|\t))?(?:\[|⟦density: )(\d+) lines(?:, (\d+) to \d+,|, each after "([-+ ])",)? as (?:shown|written) above by (.*?)(?:, from ".{0,60}")? #([0-9a-z]{1,7})(; recall [0-9a-f]+)?[\]⟧]$/gm;

/** The last line up to which no line has a number, or each has the number after that of the one before it, and all have one sign: then a note says all of them. */
export function lastMarkedAlike(lines: TextLines, { first, last }: NotedLines): number {
  const own = lines.numberOf(first);
  const sign = lines.signOf(first);
  const isAlike = (at: number): boolean =>
    lines.numberOf(at) === (own === undefined ? undefined : own + at - first) && lines.signOf(at) === sign;
  let at = first;
  while (at < last && isAlike(at + 1)) at++;
  return at;
}

/** How a note names its lines. */
interface Naming extends Pick<LineNote, 'sign'> {
  readonly label: string;
  readonly isWritten?: boolean;
  /** The first of them. */
  readonly start: string;
}

/** What stands in place of lines, up to `lastMarkedAlike`, that this text has; nothing else is lost with them. */
export function noteOf(
  lines: Pick<TextLines, 'numberOf' | 'hashOf' | 'signedHashOf'>,
  { first, last }: NotedLines,
  { label, isWritten = false, start, sign }: Naming,
): string {
  const count = last - first + 1;
  const number = lines.numberOf(first);
  const signed = sign === undefined ? '' : `, each after "${sign}",`;
  const range = number === undefined ? signed : `, ${number} to ${number + count - 1},`;
  let sum = 0;
  for (let at = first; at <= last; at++)
    sum = withLine(sum, sign === undefined ? lines.signedHashOf(at) : lines.hashOf(at));
  return markerOf(
    `${count} lines${range} as ${isWritten ? 'written' : 'shown'}${SIGN}${label}, from "${quoted(start)}" #${checkOf(sum)}`,
  );
}

/** The start of the first line, by which a reader finds the lines: a call may have been made often, and lines move. */
const quoted = (line: string): string => oneLine(line, START_CHARACTERS).replaceAll('⟧', ' ');
const START_CHARACTERS = 24;

/** True if a text may contain notes. */
export const mayHaveNotes = (result: unknown): result is string => typeof result === 'string' && result.includes(SIGN);

const cache = new WeakMap<ToolResponseBlock, readonly LineNote[]>();

/** The notes in the result of a response, in order. Linear, and cached: blocks are immutable. */
export function notesIn(response: ToolResponseBlock): readonly LineNote[] {
  const { result } = response;
  return mayHaveNotes(result) ? madeOnce(cache, response, () => notesOf(result)) : [];
}

/** The notes in a text, in order. Linear. */
export const notesOf = (text: string): readonly LineNote[] =>
  [...text.matchAll(NOTES)].map(([note, count, firstNumber, sign, label, check, back], at, all): LineNote => {
    const start = all[at]!.index;
    return {
      start,
      end: start + note.length,
      count: Number(count),
      label: label!,
      check: check!,
      sign,
      firstNumber: firstNumber === undefined ? undefined : Number(firstNumber),
      hasWayBack: back !== undefined,
    };
  });

/** A text whose notes say how to get the whole text, for those who cannot put the lines back. Linear. */
export const withWaysBack = (text: string, wayBack: string): string =>
  mayHaveNotes(text) ? text.replace(NOTES, (note) => markerWithWayBack(note, wayBack)) : text;

/**
 * The line of a text from which on it shows the lines of a note, by their hash and `isSame`; `undefined` if it does not. Linear.
 * Others can make lines with the same hash.
 */
export function lineShowing(
  lines: TextLines,
  { count, check, sign }: LineNote,
  isSame: (first: number) => boolean = () => true,
): number | undefined {
  const wanted = Number.parseInt(check, 36) | 0;
  const hashOf = (line: number): number => (sign === undefined ? lines.signedHashOf(line) : lines.hashOf(line));
  let power = 1;
  for (let line = 0; line < count; line++) power = Math.imul(power, FACTOR);
  let sum = 0;
  for (let line = 0; line < lines.count; line++) {
    sum = withLine(sum, hashOf(line));
    const first = line - count + 1;
    if (first > 0) sum = (sum - Math.imul(power, hashOf(first - 1))) | 0;
    if (first >= 0 && sum === wanted && !hasMarker(lines, first, line) && isSame(first)) return first;
  }
  return undefined;
}

function hasMarker(lines: TextLines, first: number, last: number): boolean {
  for (let line = first; line <= last; line++) if (lines.isMarked(line)) return true;
  return false;
}

const FACTOR = 0x01000193;
const withLine = (sum: number, hash: number): number => (Math.imul(sum, FACTOR) + hash) | 0;
const checkOf = (sum: number): string => (sum >>> 0).toString(36);

const NUMBER = /^(\s*L?)(\d+)(?:→|\t|: ?| ?\| ?)/;

/** The lines of a note as its text had them, from line `from` on of a text that shows them: with their own numbers, or signs. */
export function notedLines(
  { count, firstNumber, sign = '' }: LineNote,
  { lines, from }: { readonly lines: TextLines; readonly from: number },
): string {
  const all = withAllNumbers(lines.text).split('\n');
  return Array.from({ length: count }, (_, at) => {
    const line = from + at;
    const shown = all[line]!;
    const own = firstNumber === undefined ? undefined : `${firstNumber + at}`;
    if (lines.numberOf(line) === undefined) return own === undefined ? `${sign}${shown}` : `${own}\t${shown}`;
    if (own === undefined) return `${sign}${shown.replace(NUMBER, '')}`;
    return shown.replace(NUMBER, (all, before: string, digits: string) => {
      const blanks = before.endsWith('L')
        ? before
        : before.slice(0, Math.max(0, before.length + digits.length - own.length));
      return blanks + own + all.slice(before.length + digits.length);
    });
  }).join('\n');
}
