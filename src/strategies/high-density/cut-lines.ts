import { comparableLine, lineMark } from '../../content/line-marks.ts';

/** Shorter runs stay: a note in place of them would hide more than it saves. Source: bench/fidelity. */
const LEAST_CUT_LINES = 4;

const CUT_NOTE = /^\[(\d+) lines pruned: changed since, or shown below\]$/;
const CUT_NOTES = /^\[\d+ lines pruned: changed since, or shown below\]$/gm;

const noteOf = (lineCount: number): string => `[${lineCount} lines pruned: changed since, or shown below]`;

/** `text` without the notes that stand where lines were cut. */
export const withoutCutNotes = (text: string): string =>
  text.includes('lines pruned: ') ? text.replace(CUT_NOTES, '') : text;

/** Where the runs that `cutLines` cuts begin and end among lines with these marks; '' for none. */
export function cutRuns(marks: readonly number[], isNeedless: (mark: number) => boolean): string {
  let runs = '';
  let start = 0;
  for (let at = 0; at <= marks.length; at++) {
    if (at < marks.length && isNeedless(marks[at]!)) continue;
    if (at - start >= LEAST_CUT_LINES) runs += `${start}-${at} `;
    start = at + 1;
  }
  return runs;
}

/**
 * `text` with a note in place of each run of lines that `isNeedless` by their marks; lines too short to have one go
 * with the run that they stand in. The text itself where nothing is cut. Linear.
 */
export function cutLines(text: string, isNeedless: (mark: number) => boolean): string {
  const kept: string[] = [];
  let run: string[] = [];
  let markedCount = 0;
  const endRun = (): void => {
    if (markedCount < LEAST_CUT_LINES) kept.push(...run);
    else kept.push(noteOf(run.reduce((count, line) => count + Number(CUT_NOTE.exec(line)?.[1] ?? 1), 0)));
    run = [];
    markedCount = 0;
  };
  for (const line of text.split('\n')) {
    const comparable = CUT_NOTE.test(line) ? '' : comparableLine(line);
    if (comparable !== '' && !isNeedless(lineMark(comparable))) {
      endRun();
      kept.push(line);
    } else if (comparable === '' && run.length === 0) kept.push(line);
    else {
      run.push(line);
      if (comparable !== '') markedCount++;
    }
  }
  endRun();
  const cut = kept.join('\n');
  return cut.length < text.length ? cut : text;
}
