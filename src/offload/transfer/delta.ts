import type { IContent } from '../../content/content.ts';
import type { HistoryChange } from '../../history/engine.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { Change, Patch, Splice } from '../protocol.ts';

/** Empties a replica, whatever it has received so far. */
const EVERYTHING = Number.MAX_SAFE_INTEGER;

type HistorySplice = Extract<HistoryChange, { kind: 'splice' }>;

/**
 * The changes of one history that its replica does not have yet; the live history itself when the replica needs all of
 * it. Appends are joined. Snapshot plus deltas make the history (law 6).
 */
export class ChangeLog {
  #ownResults = new WeakMap<DensityResult, number>();
  #entries: readonly IContent[] = [];
  #structureVersion = 0;
  #pending: Change[] = [];

  /** The live list: only appends leave the meaning of an index as it was. */
  get entries(): readonly IContent[] {
    return this.#entries;
  }

  /** Rises with every change but an append. */
  get structureVersion(): number {
    return this.#structureVersion;
  }

  /** From now on the changes are those of `history`, whose replica does not exist yet. */
  follow(history: readonly IContent[]): void {
    this.#entries = history;
    this.#pending = [];
    this.#structureVersion++;
  }

  /** Remembers that the replica's request `sequence` gave `result`, so that only "accepted" is sent when it is applied. */
  rememberResult(result: DensityResult, sequence: number): void {
    this.#ownResults.set(result, sequence);
  }

  /** Notes a change that the live list already has. */
  note(change: HistoryChange): void {
    if (change.kind === 'applied') {
      this.#noteApplied(change.result);
      return;
    }
    const { start, removed, entries } = change;
    if (removed.length > 0 || start + entries.length < this.#entries.length) {
      this.#noteSplice(change);
      return;
    }
    const last = this.#pending.at(-1);
    const follows = last?.kind === 'splice' && last.deleteCount === 0 && last.start + last.entries.length === start;
    if (follows) for (const entry of entries) (last.entries as IContent[]).push(entry);
    else this.#pending.push(spliceOf(start, 0, [...entries]));
  }

  /** The changes since the last call; the replica has them now. */
  take(): readonly Change[] {
    const changes = this.#pending;
    this.#pending = [];
    return changes;
  }

  /** Everything, for a new replica; nothing is pending after it, and no earlier result is the replica's. */
  takeSnapshot(): readonly Change[] {
    this.#pending = [];
    this.#ownResults = new WeakMap();
    return this.#entries.length === 0 ? [] : [spliceOf(0, 0, [...this.#entries])];
  }

  #noteSplice({ start, removed, entries }: HistorySplice): void {
    this.#structureVersion++;
    if (this.#entries.length === 0) this.#pending = [spliceOf(0, EVERYTHING, [])];
    else this.#pending.push(asPatch(start, removed, entries) ?? spliceOf(start, removed.length, [...entries]));
  }

  #noteApplied(result: DensityResult): void {
    this.#structureVersion++;
    const sequence = this.#ownResults.get(result);
    this.#pending.push(sequence === undefined ? patchOf(result) : { kind: 'accept', sequence });
  }
}

function spliceOf(start: number, deleteCount: number, entries: readonly IContent[]): Splice {
  return { kind: 'splice', list: 'history', start, deleteCount, entries };
}

function patchOf({ removals, replacements }: DensityResult): Patch {
  return { kind: 'patch', indices: [...replacements.keys()], entries: [...replacements.values()], removals };
}

/**
 * The splice as a patch that sends what is new only, when entries that were there before keep their order and each
 * new one finds the place of one that went; undefined otherwise. Linear in entries.
 */
function asPatch(start: number, removed: readonly IContent[], entries: readonly IContent[]): Patch | undefined {
  if (removed.length === 0 || entries.length === 0) return undefined;
  const places = new Map(removed.map((entry, index) => [entry, index]));
  const patch = {
    kind: 'patch',
    indices: [] as number[],
    entries: [] as IContent[],
    removals: [] as number[],
  } as const;
  let created: IContent[] = [];
  let from = 0;
  /** Gives the places from `from` to `to` to the new entries before them, and removes the rest. */
  const settleGap = (to: number): void => {
    for (let index = from; index < to; index++) {
      const replacement = created[index - from];
      if (replacement === undefined) patch.removals.push(start + index);
      else {
        patch.indices.push(start + index);
        patch.entries.push(replacement);
      }
    }
    created = [];
    from = to + 1;
  };
  for (const entry of entries) {
    const place = places.get(entry);
    if (place === undefined) created.push(entry);
    else if (place < from || created.length > place - from) return undefined;
    else settleGap(place);
  }
  if (created.length > removed.length - from) return undefined;
  settleGap(removed.length);
  return patch;
}
