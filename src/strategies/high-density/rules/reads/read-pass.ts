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

/**
 * Passes the calls of a history from the last to the first, and decides on each read by the effect of later calls on its
 * files. A read that is removed shows its lines to no earlier one.
 */
export class ReadPass {
  readonly #history: readonly IContent[];
  readonly #inForce: RulesInForce<ReadSettings>;
  readonly #quietBefore: number;
  readonly #comparesLines: boolean;
  readonly #later = new Map<FileKey, LaterCalls>();

  constructor(history: readonly IContent[], inForce: RulesInForce<ReadSettings>) {
    const { partialEdits, supersededReads, quietCalls } = inForce.rules;
    this.#history = history;
    this.#inForce = inForce;
    this.#quietBefore = quietBefore(history, quietCalls);
    this.#comparesLines = partialEdits !== 'prune' || supersededReads;
  }

  /** Passes a call on which the decision is as it was when later calls were other ones. */
  pass(call: FileCall, decision: ReadDecision | undefined): void {
    this.#note(call, { isRemoved: isRemoval(decision) });
  }

  /** True if the decision on a read, which is the next one, may depend on the requests of later reads beside their lines. */
  dependsOnRequests(read: FileCall): boolean {
    const { readKeys } = read;
    if (!this.#inForce.rules.supersededReads || readKeys.length !== 1) return false;
    const later = this.#later.get(readKeys[0]!);
    return later !== undefined && isPartlyShown(read, this.#history, later);
  }

  /** The decision on the call, which must be the last one before those already decided; `undefined` keeps it. */
  decide(call: FileCall): ReadDecision | undefined {
    const removal = call.isPureRead ? this.#removalOf(call) : undefined;
    const cuts = call.isPureRead && removal === undefined ? this.#cutsOf(call) : undefined;
    this.#note(call, { isRemoved: removal !== undefined });
    return removal ?? cuts;
  }

  #removalOf(read: FileCall): ReadRemoval | undefined {
    if (!read.isAnswered) return undefined;
    const later = read.readKeys.map((key) => this.#later.get(key));
    if (!areKnown(later)) return undefined;
    const { rules, readWritePruning, protection } = this.#inForce;
    const context = { history: this.#history, rules, later };
    const [isRule, rule] = isStale(read, context)
      ? [readWritePruning, staleRead]
      : [rules.supersededReads, supersededRead];
    const removal = isRule ? rule(read, context) : undefined;
    return removal === undefined || protection.coversCall(read) ? undefined : removal;
  }

  #cutsOf(read: FileCall): ReadDecision | undefined {
    const { rules, readWritePruning, protection } = this.#inForce;
    if (!readWritePruning || rules.partialEdits !== 'keep-lines') return undefined;
    const files = read.readKeys.flatMap((key, at): LaterFile[] => {
      const later = this.#later.get(key);
      return later === undefined ? [] : [{ file: read.reads[at]!, lines: later.lines }];
    });
    if (files.length === 0) return undefined;
    const cuts = changedLines(read, files, this.#history);
    return cuts.length === 0 || protection.coversCall(read) ? undefined : cuts;
  }

  /** Adds the reads and writes of a call. */
  #note(call: FileCall, { isRemoved }: { isRemoved: boolean }): void {
    const { readKeys, writeKeys } = call;
    const showsLines = this.#comparesLines && readKeys.length === 1 && writeKeys.length === 0 && !isRemoved;
    if (this.#comparesLines || this.#inForce.rules.quietCalls > 0) {
      for (const key of readKeys) {
        const later = this.#laterCalls(key, call);
        if (showsLines) later.noteRead(call);
      }
    }
    for (const key of writeKeys) {
      const later = this.#laterCalls(key, call);
      if (call.mayHaveHappened) later.noteWrite(call);
    }
  }

  /** The later calls of a file; `call` is the last one if there were none. */
  #laterCalls(key: FileKey, call: FileCall): LaterCalls {
    return madeOnce(this.#later, key, () => new LaterCalls(this.#history, { isQuiet: call.entry < this.#quietBefore }));
  }
}

const areKnown = (later: readonly (LaterCalls | undefined)[]): later is readonly LaterCalls[] =>
  !later.includes(undefined);
