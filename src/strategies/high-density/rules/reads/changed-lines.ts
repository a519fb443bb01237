import type { ToolResponseBlock } from '../../../../content/content.ts';
import { type CallPlace, compareBlocks, type FileCause, type LineRange } from '../../../reasons/call-place.ts';
import { andList, type ReasonRow } from '../../../reasons/reason-row.ts';
import { cutLines, cutRuns, type Settled } from '../../lines/cut-lines.ts';
import { shownLines } from '../../lines/shown-lines.ts';
import { type FileCall, placeOfCall } from '../file-call.ts';
import type { LaterLines } from './later-lines.ts';
import type { ReadContext } from './stale-read.ts';

/** `lines` of the result were changed or are shown later. `causes`: the calls that did so, in order. */
export interface ChangedLines {
  readonly rule: 'changedLines';
  readonly read: CallPlace;
  readonly lines: readonly LineRange[];
  readonly causes: readonly FileCause[];
}

export const CHANGED_LINES = {
  counter: 'recency',
  certificate: {
    what: 'lines of a read that were changed since, or are shown later',
    page: 'changed lines',
    terminal: 'lines',
  },
  sentence({ lines, causes }, { call }) {
    const verb = lines.length === 1 && isOneLine(lines[0]!) ? 'was' : 'were';
    const calls = new Set(causes.map((cause) => call(cause.call)));
    return `${linesOf(lines)} ${verb} changed or shown again later by ${andList([...calls])}`;
  },
} as const satisfies ReasonRow<ChangedLines>;

/** A result with lines cut out, and where it is. */
export interface LineCut {
  readonly entry: number;
  readonly block: number;
  readonly by: ToolResponseBlock;
  readonly reason: ChangedLines;
}

/** The effect of later calls on one file of a read. */
export interface LaterFile {
  readonly file: string;
  readonly lines: LaterLines;
}

/**
 * The results of a read without runs of lines that were changed since or are shown later: `keep-lines`. In a read of several files, a line is cut if it is settled for any of them.
 */
export function changedLines(read: FileCall, files: readonly LaterFile[], history: ReadContext['history']): LineCut[] {
  const settled: Settled =
    files.length === 1 ? files[0]!.lines : { settles: (hash) => files.some(({ lines }) => lines.settles(hash)) };
  const cuts: LineCut[] = [];
  for (const { entry, block, response, isPruned } of read.responses) {
    if (isPruned || typeof response.result !== 'string') continue;
    const hashes = shownLines(history[entry]!, block);
    const runs = cutRuns(hashes, settled);
    if (runs.length === 0) continue;
    const { text, lines } = cutLines(response, { runs, settled });
    if (lines.length === 0) continue;
    const causes = callsThatSettle(
      runs.flatMap(({ start, end }) => hashes.slice(start, end)),
      files,
    );
    const reason: ChangedLines = { rule: 'changedLines', read: placeOfCall(read), lines, causes };
    cuts.push({ entry, block, by: { ...response, result: text }, reason });
  }
  return cuts;
}

/** The calls that changed or show lines, in order, each with the first such file. */
function callsThatSettle(hashes: readonly number[], files: readonly LaterFile[]): FileCause[] {
  const fileOf = new Map<FileCall, string>();
  for (const hash of hashes) {
    const { file, lines } = files.find((later) => later.lines.settles(hash))!;
    const call = lines.callThatSettles(hash)!;
    if (!fileOf.has(call)) fileOf.set(call, file);
  }
  const calls = [...fileOf].sort(([one], [other]) => compareBlocks(one, other));
  return calls.map(([call, file]) => ({ file, call: placeOfCall(call) }));
}

const isOneLine = ({ first, last }: LineRange): boolean => first === last;

function linesOf(ranges: readonly LineRange[]): string {
  const words = ranges.map((range) => (isOneLine(range) ? `${range.first}` : `${range.first}-${range.last}`));
  return `${ranges.length === 1 && isOneLine(ranges[0]!) ? 'line' : 'lines'} ${andList(words)}`;
}
