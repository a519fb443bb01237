import type { IContent } from '../content/content.ts';
import type { Engine, HistoryChange } from './engine.ts';

/** One presence of an entry in a history and its count; the same object added twice has two. */
export interface Slot {
  readonly content: IContent;
  model: string;
  /** Rises from entry to entry; whatever replaces an entry takes over its place in time. */
  readonly sequence: number;
  state: 'uncounted' | 'counted' | 'failed';
  /** 0 until counted. */
  tokens: number;
  isPresent: boolean;
}

/** A moment of a history, to tell later whether what was true then still holds. */
export interface HistoryMark {
  readonly structureVersion: number;
  readonly length: number;
}

/** The entries of a history and their counts, always in step. `entries` is one array for the history's whole life. */
export class EntryLog {
  readonly entries: IContent[] = [];
  readonly #slots: Slot[] = [];
  #watcher: Pick<Engine, 'changed'>;
  #tokens = 0;
  #nextSequence = 0;
  #structureVersion = 0;
  #epoch = 0;

  constructor(watcher: Pick<Engine, 'changed'>) {
    this.#watcher = watcher;
  }

  get slots(): readonly Slot[] {
    return this.#slots;
  }

  /** Sum of the counts known so far, without a base offset. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Rises with each `clear`. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The sequence that the next appended entry will get. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  mark(): HistoryMark {
    return { structureVersion: this.#structureVersion, length: this.entries.length };
  }

  /** Whether indices below `mark.length` still mean the entries that they meant at `mark`. */
  hasOnlyGrownSince(mark: HistoryMark): boolean {
    return mark.structureVersion === this.#structureVersion;
  }

  /** From now on `watcher` is told of each change; it gets the present entries at once. */
  setWatcher(watcher: Pick<Engine, 'changed'>): void {
    this.#watcher = watcher;
    watcher.changed({ kind: 'splice', start: 0, deleteCount: 0, entries: [...this.entries] });
  }

  /** A slot that is in no history yet; `inPlaceOf` gives it a place in time other than the end. */
  createSlot(content: IContent, model: string, inPlaceOf?: Pick<Slot, 'sequence'>): Slot {
    const sequence = inPlaceOf?.sequence ?? this.#nextSequence++;
    return { content, model, sequence, state: 'uncounted', tokens: 0, isPresent: false };
  }

  append(slot: Slot): Slot {
    slot.isPresent = true;
    this.#slots.push(slot);
    const length = this.entries.push(slot.content);
    this.#watcher.changed({ kind: 'splice', start: length - 1, deleteCount: 0, entries: [slot.content] });
    return slot;
  }

  /** Records the count of a slot, present or not; only present ones move the total. */
  settle(slot: Slot, tokens: number): void {
    if (slot.isPresent) this.#tokens += tokens - slot.tokens;
    slot.tokens = tokens;
    slot.state = 'counted';
  }

  /** Takes `slot` out wherever it stands. */
  remove(slot: Slot): void {
    const index = this.#slots.lastIndexOf(slot);
    if (index === -1) return;
    this.#slots.splice(index, 1);
    this.entries.splice(index, 1);
    this.#leave(slot);
    this.#structureVersion++;
    this.#watcher.changed({ kind: 'splice', start: index, deleteCount: 1, entries: [] });
  }

  /** Empties the history and returns the tokens that went. */
  clear(): number {
    const [gone, deleteCount] = [this.#tokens, this.entries.length];
    for (const slot of this.#slots) slot.isPresent = false;
    this.#slots.length = 0;
    this.entries.length = 0;
    this.#tokens = 0;
    this.#structureVersion++;
    this.#epoch++;
    this.#watcher.changed({ kind: 'splice', start: 0, deleteCount, entries: [] });
    return gone;
  }

  /**
   * Makes `slots` the history, in one pass that keeps the identity of `entries`, and sums their counts anew.
   * `applied` names the result that led there. Returns the difference in tokens. Linear in entries.
   */
  assign(slots: readonly Slot[], applied?: HistoryChange & { kind: 'applied' }): number {
    const before = this.#tokens;
    const change = applied ?? this.#spliceTo(slots);
    for (const slot of this.#slots) slot.isPresent = false;
    this.#tokens = 0;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index]!;
      slot.isPresent = true;
      this.#tokens += slot.tokens;
      this.#slots[index] = slot;
      this.entries[index] = slot.content;
    }
    this.#slots.length = slots.length;
    this.entries.length = slots.length;
    this.#structureVersion++;
    this.#watcher.changed(change);
    return this.#tokens - before;
  }

  /** The smallest splice that leads from the present entries to those of `slots`. */
  #spliceTo(slots: readonly Slot[]): HistoryChange {
    let start = 0;
    const shorter = Math.min(slots.length, this.#slots.length);
    while (start < shorter && slots[start]!.content === this.entries[start]) start++;
    let kept = 0;
    while (kept < shorter - start && slots.at(-1 - kept)!.content === this.entries.at(-1 - kept)) kept++;
    return {
      kind: 'splice',
      start,
      deleteCount: this.#slots.length - start - kept,
      entries: slots.slice(start, slots.length - kept).map((slot) => slot.content),
    };
  }

  #leave(slot: Slot): void {
    slot.isPresent = false;
    this.#tokens -= slot.tokens;
  }
}
