import { lineHashBetween } from '../../../content/lines/line-hash.ts';
import { textUnits } from '../../../content/lines/text-units.ts';
import type { LineRange } from '../../edit-reason.ts';

/** Shorter runs stay: a note in place of them would hide more than it saves. Source: bench/fidelity. */
const LEAST_CUT_LINES = 4;

const BRACKET = 91;
const CUT_NOTE = /^\[(\d+) lines pruned: changed since, or shown below\]$/;
const CUT_NOTES = /^\[\d+ lines pruned: changed since, or shown below\]$/gm;

const noteOf = (lineCount: number): string => `[${lineCount} lines pruned: changed since, or shown below]`;

/** `text` without the notes that stand where lines were cut. */
export const withoutCutNotes = (text: string): string =>
  text.includes('lines pruned: ') ? text.replace(CUT_NOTES, '') : text;

/** Says by its mark whether a line is needless. */
export interface Settled {
  settles(mark: number): boolean;
}

/** Lines with marks from `start` up to `end`, exclusive, counted among those with marks. */
export interface LineRun {
  readonly start: number;
  readonly end: number;
}

/** Where the runs that `cutLines` cuts begin and end among lines with these marks. */
export function cutRuns(marks: readonly number[], settled: Settled): LineRun[] {
  const runs: LineRun[] = [];
  let start = 0;
  for (let at = 0; at <= marks.length; at++) {
    if (at < marks.length && settled.settles(marks[at]!)) continue;
    if (at - start >= LEAST_CUT_LINES) runs.push({ start, end: at });
    start = at + 1;
  }
  return runs;
}

/** A text without some of its lines, and which these are. */
export interface CutText {
  readonly text: string;
  readonly lines: readonly LineRange[];
}

/**
 * `text` with a note in place of each run of lines that are `settled`; lines too short to have a mark go with the run
 * that they stand in. The text itself where nothing is cut. Linear.
 */
export function cutLines(text: string, settled: Settled): CutText {
  const units = textUnits(text);
  const lines: LineRange[] = [];
  let cut = '';
  let keptFrom = 0;
  /** The line that is looked at, from 1, and the first one of the run. */
  let line = 0;
  let firstLine = 0;
  /** The run that the last line stands in: where it begins, -1 for none; of how many lines it is; how many have marks. */
  let runFrom = -1;
  let lineCount = 0;
  let markedCount = 0;
  const endRun = (at: number): void => {
    if (markedCount >= LEAST_CUT_LINES) {
      cut += `${text.slice(keptFrom, runFrom)}${noteOf(lineCount)}\n`;
      keptFrom = at;
      lines.push({ first: firstLine, last: line - 1 });
    }
    runFrom = -1;
    lineCount = 0;
    markedCount = 0;
  };
  for (let start = 0; start <= text.length; ) {
    line++;
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const note = units[start] === BRACKET ? CUT_NOTE.exec(text.slice(start, end)) : null;
    const mark = note === null ? lineHashBetween(units, start, end) : undefined;
    if (mark !== undefined && !settled.settles(mark)) endRun(start);
    else if (mark !== undefined || runFrom !== -1) {
      if (runFrom === -1) {
        runFrom = start;
        firstLine = line;
      }
      lineCount += Number(note?.[1] ?? 1);
      if (mark !== undefined) markedCount++;
    }
    start = end + 1;
  }
  line++;
  endRun(text.length + 1);
  cut = keptFrom > text.length ? cut.slice(0, -1) : cut + text.slice(keptFrom);
  return cut.length < text.length ? { text: cut, lines } : { text, lines: [] };
}
