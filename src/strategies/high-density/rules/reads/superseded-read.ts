import { type CallPlace, compareBlocks, type FileCause } from '../../../reasons/call-place.ts';
import { andList, type ReasonRow } from '../../../reasons/reason-row.ts';
import { type FileCall, hasPrunedResult, linesShownBy, placeOfCall } from '../file-call.ts';
import type { LaterCalls } from './later-calls.ts';
import type { LaterLines } from './later-lines.ts';
import { isAtCall, type ReadContext } from './stale-read.ts';

/**
 * A later call shows the same. `causes`: the call after which every line had been shown again, or the next call with the
 * same parameters.
 */
export interface SupersededRead {
  readonly rule: 'supersededRead';
  readonly read: CallPlace;
  readonly causes: readonly FileCause[];
}

export const SUPERSEDED_READ = {
  counter: 'readWritePairs',
  certificate: { what: 'read of what a later read shows', page: 'superseded read', terminal: 'superseded' },
  isCounted: isAtCall,
  sentence: ({ causes }, { call, file }) =>
    andList(causes.map((cause) => `${file(cause.file)} is shown again later by ${call(cause.call)}`)),
} as const satisfies ReasonRow<SupersededRead>;

/** Share of the lines of a read that a later one of just the same must show to take its place: not only "unchanged". */
const MIN_SHARED_RATIO = 0.5;

/**
 * Why a read is removed that is not stale: later calls show all its lines again, or a later read asked for just the same
 * and shows half of them at least. `undefined` where it is kept, as is one that shows no line or reads several files.
 */
export function supersededRead(read: FileCall, { history, later }: ReadContext): SupersededRead | undefined {
  if (later.length !== 1 || hasPrunedResult(read)) return undefined;
  const { lines } = later[0]!;
  const by = callThatShowsAgain(read, linesShownBy(history, read), lines);
  if (by === undefined) return undefined;
  return {
    rule: 'supersededRead',
    read: placeOfCall(read),
    causes: [{ file: read.reads[0]!, call: placeOfCall(by) }],
  };
}

/** True if later calls show enough lines of a read again that another read with the same request supersedes it. */
export function isPartlyShown(read: FileCall, history: ReadContext['history'], { lines }: LaterCalls): boolean {
  const hashes = linesShownBy(history, read);
  const shownCount = lines.countShown(hashes);
  return shownCount < hashes.length && isEnough(shownCount, hashes);
}

const isEnough = (shownCount: number, { length }: readonly number[]): boolean =>
  shownCount >= MIN_SHARED_RATIO * length;

/** The call from which on all lines are shown again, else the next read that asked for the same. */
function callThatShowsAgain(read: FileCall, hashes: readonly number[], lines: LaterLines): FileCall | undefined {
  if (hashes.length === 0) return undefined;
  const shownCount = lines.countShown(hashes);
  if (shownCount === hashes.length) {
    let last = lines.callThatSettles(hashes[0]!)!;
    for (const hash of hashes) {
      const call = lines.callThatSettles(hash)!;
      if (call !== last && compareBlocks(call, last) > 0) last = call;
    }
    return last;
  }
  if (!isEnough(shownCount, hashes)) return undefined;
  const request = requestOf(read);
  return lines.reads.findLast((other) => requestOf(other) === request);
}

/** The request of a read; '' if it is unknown. */
function requestOf({ call: { name, parameters } }: FileCall): string {
  try {
    return `${name} ${JSON.stringify(parameters)}`;
  } catch {
    return '';
  }
}
