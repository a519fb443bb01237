import type { IContent } from '../content/content.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { removeFromBoth } from './apply.ts';
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
  #slots: Slot[] = [];
  #watcher: Pick<Engine, 'changed'>;
  #tokens = 0;
  /** How many entries each model counts. */
  readonly #models = new Map<string, number>();
  readonly #failed = new Set<Slot>();
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

  /** The slots whose count failed. */
  get failed(): readonly Slot[] {
    return [...this.#failed];
  }

  /** Whether every entry is one that `model` counts. */
  isAllOf(model: string): boolean {
    return this.#slots.length === 0 || (this.#models.size === 1 && this.#models.has(model));
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

  /** From now on `watcher` is called after each change. */
  setWatcher(watcher: Pick<Engine, 'changed'>): void {
    this.#watcher = watcher;
  }

  /** A slot that is in no history yet; `inPlaceOf` gives it a place in time other than the end. */
  createSlot(content: IContent, model: string, inPlaceOf?: Pick<Slot, 'sequence'>): Slot {
    const sequence = inPlaceOf?.sequence ?? this.#nextSequence++;
    return { content, model, sequence, state: 'uncounted', tokens: 0, isPresent: false };
  }

  append(slot: Slot): Slot {
    this.#change([slot], true);
    this.#slots.push(slot);
    const length = this.entries.push(slot.content);
    this.#watcher.changed({ kind: 'splice', start: length - 1, removed: [], entries: [slot.content] });
    return slot;
  }

  /** Appends all `slots`, in one change. */
  appendAll(slots: readonly Slot[]): void {
    const start = this.entries.length;
    this.#change(slots, true);
    for (const slot of slots) {
      this.#slots.push(slot);
      this.entries.push(slot.content);
    }
    this.#watcher.changed({ kind: 'splice', start, removed: [], entries: this.entries.slice(start) });
  }

  /** Records the count of a slot by `model`, present or not; only present ones move the total. */
  settle(slot: Slot, { model, tokens }: { readonly model: string; readonly tokens: number }): void {
    if (slot.model !== model) {
      if (slot.isPresent) this.#move(slot.model, -1);
      if (slot.isPresent) this.#move(model, 1);
      slot.model = model;
    }
    if (slot.isPresent) this.#tokens += tokens - slot.tokens;
    slot.tokens = tokens;
    slot.state = 'counted';
    this.#noteFailed(slot);
  }

  /** Records that a slot could not be counted. */
  fail(slot: Slot): void {
    slot.state = 'failed';
    this.#noteFailed(slot);
  }

  /** Takes `slot` out wherever it stands. */
  remove(slot: Slot): void {
    const index = this.#slots.lastIndexOf(slot);
    if (index === -1) return;
    this.#slots.splice(index, 1);
    this.entries.splice(index, 1);
    this.#change([slot], false);
    this.#structureVersion++;
    this.#watcher.changed({ kind: 'splice', start: index, removed: [slot.content], entries: [] });
  }

  /** Empties the history and returns the tokens that went. */
  clear(): number {
    const [gone, removed] = [this.#tokens, [...this.entries]];
    this.#leaveAll();
    this.entries.length = 0;
    this.#structureVersion++;
    this.#epoch++;
    this.#watcher.changed({ kind: 'splice', start: 0, removed, entries: [] });
    return gone;
  }

  /**
   * Makes `slots` the history, in one pass that keeps the identity of `entries`. Returns the difference in tokens.
   * Linear in entries.
   */
  assign(slots: readonly Slot[]): number {
    const before = this.#tokens;
    const change = this.#spliceTo(slots);
    this.#leaveAll();
    this.#change(slots, true);
    this.#slots = [...slots];
    for (let index = 0; index < slots.length; index++) this.entries[index] = slots[index]!.content;
    this.entries.length = slots.length;
    this.#structureVersion++;
    this.#watcher.changed(change);
    return this.#tokens - before;
  }

  /**
   * Puts a checked density result into effect; `created` are the slots of its replacements. Returns the difference in
   * tokens. Linear in edits, and moves entries without looking at them.
   */
  edit(result: DensityResult, created: ReadonlyMap<number, Slot>): number {
    const before = this.#tokens;
    const gone = result.removals.map((index) => this.#slots[index]!);
    for (const index of created.keys()) gone.push(this.#slots[index]!);
    this.#change(gone, false);
    this.#change(created.values(), true);
    for (const [index, slot] of created) {
      this.#slots[index] = slot;
      this.entries[index] = slot.content;
    }
    removeFromBoth(result.removals, this.#slots, this.entries);
    this.#structureVersion++;
    this.#watcher.changed({ kind: 'applied', result });
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
      removed: this.entries.slice(start, this.entries.length - kept),
      entries: slots.slice(start, slots.length - kept).map((slot) => slot.content),
    };
  }

  /** The slots are part of the history from now on, or no more. */
  #change(slots: Iterable<Slot>, isPresent: boolean): void {
    const sign = isPresent ? 1 : -1;
    let [model, entries, tokens] = ['', 0, 0];
    for (const slot of slots) {
      slot.isPresent = isPresent;
      tokens += slot.tokens;
      if (slot.state === 'failed') this.#noteFailed(slot);
      if (slot.model !== model) {
        this.#move(model, sign * entries);
        [model, entries] = [slot.model, 0];
      }
      entries++;
    }
    this.#move(model, sign * entries);
    this.#tokens += sign * tokens;
  }

  #noteFailed(slot: Slot): void {
    if (slot.isPresent && slot.state === 'failed') this.#failed.add(slot);
    else this.#failed.delete(slot);
  }

  #leaveAll(): void {
    for (const slot of this.#slots) slot.isPresent = false;
    this.#slots = [];
    this.#tokens = 0;
    this.#models.clear();
    this.#failed.clear();
  }

  #move(model: string, entries: number): void {
    const count = (this.#models.get(model) ?? 0) + entries;
    if (count === 0) this.#models.delete(model);
    else this.#models.set(model, count);
  }
}
