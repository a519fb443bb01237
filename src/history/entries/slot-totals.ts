import type { IContent } from '../../content/content.ts';

/** Running sums over the slots of a history: their tokens, their models, and which of them have no count. */
export class SlotTotals {
  /** The slots that wait for their count, in the order in which they were added. */
  readonly uncounted = new Set<Slot>();
  /** The slots whose count failed. */
  readonly failed = new Set<Slot>();
  #tokens = 0;
  /** How many slots each model has. */
  readonly #models = new Map<string, number>();

  /** Sum of the counts known so far, without a base offset. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Whether no slot belongs to another model. */
  isAllOf(model: string): boolean {
    return this.#models.size === 0 || (this.#models.size === 1 && this.#models.has(model));
  }

  /** Adds `slots` to the sums, or takes them out. */
  setPresent(slots: Iterable<Slot>, isPresent: boolean): void {
    const sign = isPresent ? 1 : -1;
    let model = '';
    let slotsOfModel = 0;
    for (const slot of slots) {
      slot.isPresent = isPresent;
      this.#tokens += sign * slot.tokens;
      if (slot.state !== 'counted') {
        const without = slot.state === 'failed' ? this.failed : this.uncounted;
        if (isPresent) without.add(slot);
        else without.delete(slot);
      }
      if (slot.model !== model) {
        this.#countModel(model, sign * slotsOfModel);
        model = slot.model;
        slotsOfModel = 0;
      }
      slotsOfModel++;
    }
    this.#countModel(model, sign * slotsOfModel);
  }

  /** Removes `slots`, which are all that there are. */
  clear(slots: readonly Slot[]): void {
    for (const slot of slots) slot.isPresent = false;
    this.#tokens = 0;
    this.#models.clear();
    this.uncounted.clear();
    this.failed.clear();
  }

  /** Records the count of a slot, present or not; only present slots change the sums. */
  settle(slot: Slot, { model, tokens }: ModelCount): void {
    if (slot.isPresent) {
      this.#tokens += tokens - slot.tokens;
      if (slot.model !== model) {
        this.#countModel(slot.model, -1);
        this.#countModel(model, 1);
      }
    }
    slot.model = model;
    slot.tokens = tokens;
    slot.state = 'counted';
    this.uncounted.delete(slot);
    this.failed.delete(slot);
  }

  /** Records that a slot could not be counted. */
  fail(slot: Slot): void {
    slot.state = 'failed';
    this.uncounted.delete(slot);
    if (slot.isPresent) this.failed.add(slot);
  }

  #countModel(model: string, change: number): void {
    const count = (this.#models.get(model) ?? 0) + change;
    if (count === 0) this.#models.delete(model);
    else this.#models.set(model, count);
  }
}

/** One presence of an entry in a history, and its count. An object that was added twice has two slots. */
export interface Slot {
  readonly content: IContent;
  model: string;
  /** Rises from entry to entry; a replacement takes over the sequence of the entry that it replaces. */
  readonly sequence: number;
  state: 'uncounted' | 'counted' | 'failed';
  /** 0 until counted. */
  tokens: number;
  isPresent: boolean;
}

/** Tokens of an entry for a model. */
export interface ModelCount {
  readonly model: string;
  readonly tokens: number;
}
