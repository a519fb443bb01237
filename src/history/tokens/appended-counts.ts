import type { IContent } from '../../content/content.ts';
import type { Slot } from '../entries/slot.ts';
import type { SlotTotals } from '../entries/slot-totals.ts';
import { TimeSlice } from '../time-slice.ts';
import type { SlotCounts } from './slot-counts.ts';
import type { TokenLock } from './token-lock.ts';

/** Slots in a row of one model whose counts are all known, or all unknown. */
interface Run {
  readonly slots: readonly Slot[];
  readonly contents: readonly IContent[];
  /** One for each slot, or none. */
  readonly tokens: readonly number[];
  /** The index after the run in its batch. */
  readonly end: number;
  readonly model: string;
  /** Aborted when the entries were cleared. */
  readonly signal: AbortSignal;
}

/** Entries that take a noticeable time to add. Source: bench `slice.resume.10M`. */
const LONG_BURST = 16;
/** A clock reading takes about as long as this many lookups. */
const LOOKUPS_PER_CLOCK_READING = 64;

export interface AppendedCountsParts {
  readonly lock: TokenLock;
  readonly totals: SlotTotals;
  readonly counts: SlotCounts;
  /** Called with each appended slot after its count is in the totals; must not throw. */
  readonly onCounted: (slot: Slot) => void;
}

/**
 * Counts appended entries in the background: one task of the lock for each burst of adds.
 * Source: docs/architecture.md, "The offload protocol", "One drain per burst".
 */
export class AppendedCounts {
  readonly #parts: AppendedCountsParts;
  /** The slots of the last task in the lock, and that task's number: others behind it must be counted later. */
  #batch: Slot[] = [];
  #task = -1;

  constructor(parts: AppendedCountsParts) {
    this.#parts = parts;
  }

  /** Counts appended slots soon, in order with everything else on the lock. */
  track(slots: readonly Slot[]): void {
    const { lock } = this.#parts;
    if (this.#task === lock.taskCount) {
      for (const slot of slots) this.#batch.push(slot);
      return;
    }
    const batch = [...slots];
    void lock.run(() => this.#drain(batch));
    this.#batch = batch;
    this.#task = lock.taskCount;
  }

  /** The batch may grow while it is counted. */
  async #drain(batch: readonly Slot[]): Promise<void> {
    // The burst is synchronous: one microtask later the batch has all of it.
    await Promise.resolve();
    const slice = new TimeSlice();
    // A long burst has blocked the thread long enough.
    if (batch.length > LONG_BURST) await slice.next();
    for (let from = 0; from < batch.length; ) {
      const run = await this.#nextRun(batch, from, slice);
      from = run.end;
      await (run.tokens.length > 0 ? this.#settleKnown(run) : this.#countUnknown(run));
    }
    if (this.#batch !== batch) return;
    this.#batch = [];
    this.#task = -1;
  }

  /** The run that starts at `from`, without the slots that were removed. */
  async #nextRun(batch: readonly Slot[], from: number, slice: TimeSlice): Promise<Run> {
    const { counts } = this.#parts;
    const { signal } = counts;
    const { model, content } = batch[from]!;
    const isKnown = counts.known(content, model) !== undefined;
    const [slots, contents, tokens]: [Slot[], IContent[], number[]] = [[], [], []];
    let end = from;
    while (end < batch.length) {
      const slot = batch[end]!;
      const kept = counts.known(slot.content, model);
      if (slot.model !== model || (kept !== undefined) !== isKnown) break;
      if (slot.isPresent) {
        slots.push(slot);
        contents.push(slot.content);
        if (kept !== undefined) tokens.push(kept);
      }
      end++;
      if (end % LOOKUPS_PER_CLOCK_READING === 0 && slice.isOver()) await slice.next();
    }
    // After a clear the signal is aborted, but entries added since then must be counted.
    return signal.aborted ? this.#nextRun(batch, from, slice) : { slots, contents, tokens, end, model, signal };
  }

  async #settleKnown({ slots, tokens }: Run): Promise<void> {
    const slice = new TimeSlice();
    for (const [index, slot] of slots.entries()) {
      this.#settle(slot, tokens[index]!);
      if (slice.isOver()) await slice.next();
    }
  }

  async #countUnknown({ slots, contents, model, signal }: Run): Promise<void> {
    if (slots.length === 0) return;
    const { lock, totals, counts } = this.#parts;
    let answered = 0;
    try {
      await counts.each(contents, { model, fresh: false, signal }, (count) => {
        const slot = slots[answered++]!;
        if ('tokens' in count) return this.#settle(slot, count.tokens);
        totals.fail(slot);
        lock.noteFailure(count.error);
      });
    } catch (error) {
      for (const slot of slots.slice(answered)) totals.fail(slot);
      lock.noteFailure(error);
    }
  }

  #settle(slot: Slot, tokens: number): void {
    const { counts, onCounted } = this.#parts;
    counts.settle(slot, { model: slot.model, tokens });
    if (slot.isPresent) onCounted(slot);
  }
}
