import type { IContent } from '../../../../content/content.ts';
import { madeOnce } from '../../../../content/group-by.ts';
import type { FileCall, FileKey } from '../file-call.ts';
import type { RulesInForce } from '../rule.ts';
import { changedLines, type LaterFile, type LineCut } from './changed-lines.ts';
import { LaterCalls } from './later-calls.ts';
import type { ReadSettings } from './read-settings.ts';
import { isStale, quietBefore, type StaleRead, staleRead } from './stale-read.ts';
import { isPartlyShown, type SupersededRead, supersededRead } from './superseded-read.ts';

type ReadRemoval = StaleRead | SupersededRead;

/** The reason to remove a read with its results, or the lines to remove from them. */
export type ReadDecision = ReadRemoval | readonly LineCut[];

/** True if the read is removed as a whole. */
export const isRemoval = (decision: ReadDecision | undefined): decision is ReadRemoval =>
  decision !== undefined && 'rule' in decision;

export type ReadPass = ReturnType<typeof readPass>;

/**
 * Passes the calls of a history from the last to the first, and decides on each read by the effect of later calls on its
 * files. A read that is removed shows its lines to no earlier one.
 */
export function readPass(history: readonly IContent[], inForce: RulesInForce<ReadSettings>) {
  const { rules, readWritePruning, protection } = inForce;
  const { partialEdits, supersededReads, quietCalls } = rules;
  const quietFrom = quietBefore(history, quietCalls);
  const comparesLines = partialEdits !== 'prune' || supersededReads;
  const laterOf = new Map<FileKey, LaterCalls>();
  /** The later calls of a file; `call` is the last one if there were none. */
  const laterCalls = (key: FileKey, call: FileCall): LaterCalls =>
    madeOnce(laterOf, key, () => new LaterCalls(history, { isQuiet: call.entry < quietFrom }));

  function removalOf(read: FileCall): ReadRemoval | undefined {
    if (!read.isAnswered) return undefined;
    const later = read.readKeys.map((key) => laterOf.get(key));
    if (!areKnown(later)) return undefined;
    const context = { history, rules, later };
    const [isRule, rule] = isStale(read, context) ? [readWritePruning, staleRead] : [supersededReads, supersededRead];
    const removal = isRule ? rule(read, context) : undefined;
    return removal === undefined || protection.coversCall(read) ? undefined : removal;
  }

  function cutsOf(read: FileCall): ReadDecision | undefined {
    if (!readWritePruning || partialEdits !== 'keep-lines') return undefined;
    const files = read.readKeys.flatMap((key, at): LaterFile[] => {
      const later = laterOf.get(key);
      return later === undefined ? [] : [{ file: read.reads[at]!, lines: later.lines }];
    });
    if (files.length === 0) return undefined;
    const cuts = changedLines(read, files, history);
    return cuts.length === 0 || protection.coversCall(read) ? undefined : cuts;
  }

  /** Adds the reads and writes of a call. */
  function note(call: FileCall, isRemoved: boolean): void {
    const { readKeys, writeKeys } = call;
    const showsLines = comparesLines && readKeys.length === 1 && writeKeys.length === 0 && !isRemoved;
    if (comparesLines || quietCalls > 0) {
      for (const key of readKeys) {
        const later = laterCalls(key, call);
        if (showsLines) later.noteRead(call);
      }
    }
    for (const key of writeKeys) {
      const later = laterCalls(key, call);
      if (call.mayHaveHappened) later.noteWrite(call);
    }
  }

  return {
    /** Passes a call on which the decision is as it was when later calls were other ones. */
    pass: (call: FileCall, decision: ReadDecision | undefined): void => note(call, isRemoval(decision)),

    /** True if the decision on a read, which is the next one, may depend on the requests of later reads beside their lines. */
    dependsOnRequests(read: FileCall): boolean {
      if (!supersededReads || read.readKeys.length !== 1) return false;
      const later = laterOf.get(read.readKeys[0]!);
      return later !== undefined && isPartlyShown(read, history, later);
    },

    /** The decision on the call, which must be the last one before those already decided; `undefined` keeps it. */
    decide(call: FileCall): ReadDecision | undefined {
      const removal = call.isPureRead ? removalOf(call) : undefined;
      const cuts = call.isPureRead && removal === undefined ? cutsOf(call) : undefined;
      note(call, removal !== undefined);
      return removal ?? cuts;
    },
  };
}

const areKnown = (later: readonly (LaterCalls | undefined)[]): later is readonly LaterCalls[] =>
  !later.includes(undefined);
