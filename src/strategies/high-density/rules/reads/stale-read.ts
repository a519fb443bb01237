import type { IContent } from '../../../../content/content.ts';
import type { BlockPlace, CallPlace, FileCause } from '../../../reasons/call-place.ts';
import { andList, type ReasonRow } from '../../../reasons/reason-row.ts';
import { type FileCall, hasPrunedResult, linesShownBy, placeOfCall } from '../file-call.ts';
import type { LaterCalls } from './later-calls.ts';
import type { ReadSettings } from './read-settings.ts';

/** Every file of the read was written later. `causes`: for each file its first such write. */
export interface StaleRead {
  readonly rule: 'staleRead';
  readonly read: CallPlace;
  readonly causes: readonly FileCause[];
}

export const STALE_READ = {
  counter: {
    name: 'readWritePairs',
    metadata: 'readWritePairsPruned',
    what: 'reads of files written later',
    one: 'read',
    many: 'reads',
    badge: 'stale read',
  },
  certificate: { what: 'read of a file that was written later', page: 'stale read', terminal: 'stale read' },
  isCounted: isAtCall,
  sentence: ({ causes }, { call, file }) =>
    andList(causes.map((cause) => `${file(cause.file)} was written later by ${call(cause.call)}`)),
} as const satisfies ReasonRow<StaleRead>;

/** A read for the rules: `later` has the effect of later calls on each of its files. */
export interface ReadContext {
  readonly history: readonly IContent[];
  readonly rules: ReadSettings;
  readonly later: readonly LaterCalls[];
}

/**
 * True if every file of a read was written in a later entry, by calls that may have happened.
 * Source: REQ-HD-005.1, 005.7; docs/readings.md, row 2.
 */
export const isStale = ({ entry }: FileCall, { later }: ReadContext): boolean =>
  later.every(({ lastWriteEntry }) => lastWriteEntry > entry);

/**
 * The reason to remove a stale read, `undefined` if a rule keeps it: `quietCalls` until its files were unused for long
 * enough, `partialEdits` while it is the last to show lines that are still in its file. Its cause is the first write
 * after it: it was stale from then on, and rules only delay the removal.
 */
export function staleRead(read: FileCall, context: ReadContext): StaleRead | undefined {
  if (!mayBeRemoved(read, context)) return undefined;
  const causes = read.reads.map((file, at) => context.later[at]!.causeAfter(read, file));
  return { rule: 'staleRead', read: placeOfCall(read), causes };
}

function mayBeRemoved(read: FileCall, { history, rules, later }: ReadContext): boolean {
  const isQuiet = later.every((calls) => calls.isQuiet);
  if (rules.partialEdits === 'prune') return isQuiet;
  if (rules.quietCalls > 0 && isQuiet) return true;
  const lines = later.map((calls) => calls.lines);
  if (lines.every(({ isReplaced }) => isReplaced)) return true;
  // Nobody can say which of several files a line is of, or what a pruned result showed.
  if (lines.length > 1 || hasPrunedResult(read)) return false;
  return linesShownBy(history, read).every((hash) => lines[0]!.settles(hash));
}

/** The entry of the last `quietCalls`th answer of the model: a file is quiet if nothing from there on touches it. */
export function quietBefore(history: readonly IContent[], quietCalls: number): number {
  if (quietCalls === 0) return history.length;
  let left = quietCalls;
  for (let entry = history.length - 1; entry >= 0; entry--) {
    if (history[entry]!.speaker === 'ai' && --left === 0) return entry;
  }
  return 0;
}

/** A call and its results are counted once, at the call. */
export function isAtCall({
  entry,
  block,
  reason,
}: BlockPlace & { readonly reason: { readonly read: CallPlace } }): boolean {
  return reason.read.entry === entry && reason.read.block === block;
}
