import type { ToolResponseBlock } from '../../../content/content.ts';
import { lineHashBetween } from '../../../content/lines/line-hash.ts';
import { textUnits } from '../../../content/lines/text-units.ts';
import type { LineRange } from '../../reasons/call-place.ts';
import { withChangedLines } from '../repeated-lines/tenth-numbers.ts';

/** Shorter runs are kept: a marker would hide more than it saves. Source: bench/fidelity. */
const MIN_CUT_LINES = 4;

const BRACKET = 91;
const CUT_NOTE = /^\[(\d+) lines pruned: changed since, or shown below\]$/;
const CUT_NOTES = /^\[\d+ lines pruned: changed since, or shown below\]$/gm;

/** The marker of so many removed lines. */
export const cutNoteOf = (lineCount: number): string => `[${lineCount} lines pruned: changed since, or shown below]`;

/** `text` without the markers of removed lines. */
export const withoutCutNotes = (text: string): string =>
  text.includes('lines pruned: ') ? text.replace(CUT_NOTES, '') : text;

/** Decides whether the line with a hash is no longer needed. */
export interface Settled {
  settles(hash: number): boolean;
}

/** Lines from `start` to `end`, exclusive, as indices into the lines with a hash. */
interface LineRun {
  readonly start: number;
  readonly end: number;
}

/** The runs that `cutLines` removes from lines with these hashes. */
export function cutRuns(hashes: readonly number[], settled: Settled): LineRun[] {
  const runs: LineRun[] = [];
  let start = 0;
  for (let at = 0; at <= hashes.length; at++) {
    if (at < hashes.length && settled.settles(hashes[at]!)) continue;
    if (at - start >= MIN_CUT_LINES) runs.push({ start, end: at });
    start = at + 1;
  }
  return runs;
}

/** A text without some of its lines, and the removed ranges. */
interface CutText {
  readonly text: string;
  readonly lines: readonly LineRange[];
}

interface KnownCut {
  readonly runs: readonly LineRun[];
  readonly cut: CutText;
}

/** A cache: pending edits are found again before every send. Blocks are immutable. */
const cache = new WeakMap<ToolResponseBlock, KnownCut>();

/** The result of a response, which is a text, without the lines of its `cutRuns`. */
export function cutLines(
  response: ToolResponseBlock,
  { runs, settled }: { runs: readonly LineRun[]; settled: Settled },
): CutText {
  const known = cache.get(response);
  if (known !== undefined && areSame(known.runs, runs)) return known.cut;
  const cut = cutText(String(response.result), settled);
  cache.set(response, { runs, cut });
  return cut;
}

const areSame = (left: readonly LineRun[], right: readonly LineRun[]): boolean =>
  left.length === right.length &&
  left.every(({ start, end }, at) => start === right[at]!.start && end === right[at]!.end);

/**
 * `text` with a marker in place of each run of `settled` lines, after which the next line has its number. Lines too short for a hash
 * are removed with the run around them. The same text if nothing is removed. Linear.
 */
function cutText(text: string, settled: Settled): CutText {
  let lines: readonly LineRange[] = [];
  const cut = withChangedLines(text, (whole) => {
    const found = cutOf(whole, settled);
    lines = found.lines;
    return found.text;
  });
  return cut.length < text.length ? { text: cut, lines } : { text, lines: [] };
}

function cutOf(text: string, settled: Settled): CutText {
  const units = textUnits(text);
  const lines: LineRange[] = [];
  let cut = '';
  let keptFrom = 0;
  /** The current line, from 1, and the first line of the run. */
  let line = 0;
  let firstLine = 0;
  /** The run of the last line: its start (-1 for none), its lines, and its lines with a hash. */
  let runFrom = -1;
  let lineCount = 0;
  let hashedCount = 0;
  const endRun = (at: number): void => {
    if (hashedCount >= MIN_CUT_LINES) {
      cut += `${text.slice(keptFrom, runFrom)}${cutNoteOf(lineCount)}\n`;
      keptFrom = at;
      lines.push({ first: firstLine, last: line - 1 });
    }
    runFrom = -1;
    lineCount = 0;
    hashedCount = 0;
  };
  for (let start = 0; start <= text.length; ) {
    line++;
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const note = units[start] === BRACKET ? CUT_NOTE.exec(text.slice(start, end)) : null;
    const hash = note === null ? lineHashBetween(units, start, end) : undefined;
    if (hash !== undefined && !settled.settles(hash)) endRun(start);
    else if (hash !== undefined || runFrom !== -1) {
      if (runFrom === -1) {
        runFrom = start;
        firstLine = line;
      }
      lineCount += Number(note?.[1] ?? 1);
      if (hash !== undefined) hashedCount++;
    }
    start = end + 1;
  }
  line++;
  endRun(text.length + 1);
  return { text: keptFrom > text.length ? cut.slice(0, -1) : cut + text.slice(keptFrom), lines };
}
