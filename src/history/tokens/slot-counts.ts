import { groupBy } from '../../content/group-by.ts';
import type { Slot } from '../entries/slot.ts';
import type { SlotTotals } from '../entries/slot-totals.ts';
import type { KeptCounts } from './kept-counts.ts';
import type { TokenLock } from './token-lock.ts';

export interface RecountOptions {
  /** Count again what is known already. */
  readonly fresh?: boolean;
  /** Count all slots for this model, instead of each for its own. */
  readonly model?: string | undefined;
}

/** Counts slots on request, all of them or none. The caller has the lock. */
export class SlotCounts {
  readonly #lock: TokenLock;
  readonly #totals: SlotTotals;
  readonly #counts: KeptCounts;
  #cancellation = new AbortController();

  constructor({ lock, totals, counts }: { lock: TokenLock; totals: SlotTotals; counts: KeptCounts }) {
    this.#lock = lock;
    this.#totals = totals;
    this.#counts = counts;
  }

  /** Aborted by the next `cancel`. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  /** Drops counts in flight: their entries were cleared. */
  cancel(): void {
    this.#cancellation.abort();
    this.#cancellation = new AbortController();
  }

  /**
   * Counts `slots` and settles them together; settles none after a `cancel`.
   * @throws what a counter throws; then no slot is settled.
   */
  async settle(slots: readonly Slot[], { fresh = false, model }: RecountOptions = {}): Promise<void> {
    const { signal } = this;
    const counted: { slots: readonly Slot[]; model: string; counts: readonly number[] }[] = [];
    for (const [name, group] of groupBy(slots, (slot) => model ?? slot.model)) {
      const contents = group.map((slot) => slot.content);
      const counts = await this.#counts.all(contents, name, { fresh, signal });
      if (signal.aborted) return;
      counted.push({ slots: group, model: name, counts });
    }
    for (const { slots: group, model: name, counts } of counted) {
      for (const [index, slot] of group.entries()) this.#totals.settle(slot, { model: name, tokens: counts[index]! });
    }
  }

  /** The same; a failure also surfaces at `waitForTokenUpdates` (docs/readings.md, row 28; ERR-020). */
  async settleOrNote(slots: readonly Slot[], options?: RecountOptions): Promise<void> {
    try {
      await this.settle(slots, options);
    } catch (error) {
      this.#lock.noteFailure(error);
      throw error;
    }
  }
}
