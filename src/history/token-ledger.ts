import PQueue from 'p-queue';
import type { IContent } from '../content/content.ts';
import type { EntryLog, Slot } from './entry-log.ts';
import type { KeptCounts } from './kept-counts.ts';
import { TimeSlice } from './time-slice.ts';

/** Slots in a row that are counted alike; `end` is the place behind them in their batch. */
interface Run {
  readonly slots: readonly Slot[];
  /** Their entries. */
  readonly contents: readonly IContent[];
  readonly end: number;
  /** What is known of them already: all of it or nothing. */
  readonly counts: readonly number[];
  readonly model: string;
  /** Aborted when the entries are gone. */
  readonly signal: AbortSignal;
}

interface RecountOptions {
  readonly fresh?: boolean;
  readonly model?: string | undefined;
}

/** Entries that are added at once and take the thread for a while. Source: bench `slice.resume.10M`. */
const LONG_BURST = 16;
/** Looking at an entry takes no longer than reading the clock. */
const LOOKS_PER_CLOCK = 64;

/**
 * All token work of one history, one piece at a time: the `tokenizerLock`. Appended entries are counted by one drain
 * per burst. What fails is collected and thrown once, by `settled`; it never stops later work.
 * Source: docs/architecture.md, "The offload protocol", "One drain per burst" and "The lock".
 */
export class TokenLedger {
  readonly #lock = new PQueue({ concurrency: 1 });
  readonly #log: EntryLog;
  readonly #counts: KeptCounts;
  readonly #onCounted: (slot: Slot) => void;
  /** What the last drain in the queue will count. Closed when other work is queued behind it, so that order is kept. */
  #openBatch: Slot[] | undefined;
  #cancellation = new AbortController();
  #failures: unknown[] = [];

  /** `onCounted` is told of each appended entry after its count is in the log; it must not throw. */
  constructor(log: EntryLog, { counts, onCounted }: { counts: KeptCounts; onCounted: (slot: Slot) => void }) {
    this.#log = log;
    this.#counts = counts;
    this.#onCounted = onCounted;
  }

  /** Counts appended slots soon, in order with everything else on the lock. */
  track(slots: readonly Slot[]): void {
    if (this.#openBatch) {
      for (const slot of slots) this.#openBatch.push(slot);
      return;
    }
    const batch = [...slots];
    this.#openBatch = batch;
    void this.#lock.add(() => this.#drain(batch));
  }

  /** Runs `task` when all token work queued before it is done. A task must call nothing that takes the lock itself. */
  runLocked<Result>(task: () => Promise<Result> | Result): Promise<Result> {
    this.#openBatch = undefined;
    return this.#lock.add(async () => task());
  }

  /** Resolves when no token work is left. */
  idle(): Promise<void> {
    return this.#lock.onIdle();
  }

  /** Collects a failure for the next `settled`. */
  noteFailure(error: unknown): void {
    this.#failures.push(error);
  }

  /**
   * Resolves as `idle` does.
   * @throws what failed since the last call, an `AggregateError` if several (ERR-021).
   */
  async settled(): Promise<void> {
    await this.idle();
    const failures = this.#failures;
    this.#failures = [];
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) {
      throw new AggregateError(failures, `${failures.length} token updates failed; \`errors\` holds each.`);
    }
  }

  /** Drops counts in flight: the entries they are for are gone. */
  cancelCounts(): void {
    this.#cancellation.abort();
    this.#cancellation = new AbortController();
  }

  /**
   * Counts `slots`, all for `model` where it is given, and settles them together, or none when one fails. Nothing is
   * settled when a clear made them pointless. The caller holds the lock.
   */
  async settleTogether(slots: readonly Slot[], { fresh = false, model }: RecountOptions = {}): Promise<void> {
    const { signal } = this.#cancellation;
    const counted: { group: readonly Slot[]; model: string; counts: readonly number[] }[] = [];
    for (const [name, group] of groupByModel(slots, model)) {
      const contents = group.map((slot) => slot.content);
      const counts = await this.#counts.all(contents, name, { fresh, signal });
      if (signal.aborted) return;
      counted.push({ group, model: name, counts });
    }
    for (const { group, model: name, counts } of counted) {
      for (const [index, slot] of group.entries()) this.#log.settle(slot, { model: name, tokens: counts[index]! });
    }
  }

  /** The batch may grow while it is drained. */
  async #drain(batch: readonly Slot[]): Promise<void> {
    // The burst that opened the batch is synchronous: all of it is here one microtask later.
    await Promise.resolve();
    const slice = new TimeSlice();
    // A long one has held the thread long enough.
    if (batch.length > LONG_BURST) await slice.next();
    for (let from = 0; from < batch.length; ) {
      const run = await this.#nextRun(batch, from, slice);
      from = run.end;
      await (run.counts.length > 0 ? this.#settleKnown(run) : this.#countUnknown(run));
    }
    if (this.#openBatch === batch) this.#openBatch = undefined;
  }

  /** The slots from `from` on that are of one model and are all known, or all unknown; those that are gone are left out. */
  async #nextRun(batch: readonly Slot[], from: number, slice: TimeSlice): Promise<Run> {
    const { signal } = this.#cancellation;
    const { model, content } = batch[from]!;
    const isKnown = this.#counts.known(content, model) !== undefined;
    const [slots, contents, counts]: [Slot[], IContent[], number[]] = [[], [], []];
    let end = from;
    while (end < batch.length) {
      const slot = batch[end]!;
      const kept = this.#counts.known(slot.content, model);
      if (slot.model !== model || (kept !== undefined) !== isKnown) break;
      if (slot.isPresent) {
        slots.push(slot);
        contents.push(slot.content);
        if (kept !== undefined) counts.push(kept);
      }
      end++;
      if (end % LOOKS_PER_CLOCK === 0 && slice.isOver()) await slice.next();
    }
    // A clear while it was looked for: what came since must not be cancelled with what is gone.
    return signal.aborted ? this.#nextRun(batch, from, slice) : { slots, contents, end, counts, model, signal };
  }

  async #settleKnown({ slots, counts }: Run): Promise<void> {
    const slice = new TimeSlice();
    for (const [index, slot] of slots.entries()) {
      this.#settleAppended(slot, counts[index]!);
      if (slice.isOver()) await slice.next();
    }
  }

  async #countUnknown({ slots, contents, model, signal }: Run): Promise<void> {
    if (slots.length === 0) return;
    let answered = 0;
    try {
      await this.#counts.each(contents, { model, fresh: false, signal }, (count) => {
        const slot = slots[answered++]!;
        if ('error' in count) this.#failSlot(slot, count.error);
        else this.#settleAppended(slot, count.tokens);
      });
    } catch (error) {
      for (const slot of slots.slice(answered)) this.#log.fail(slot);
      this.noteFailure(error);
    }
  }

  #settleAppended(slot: Slot, tokens: number): void {
    if (!slot.isPresent) return;
    this.#log.settle(slot, { model: slot.model, tokens });
    this.#onCounted(slot);
  }

  #failSlot(slot: Slot, error: unknown): void {
    this.#log.fail(slot);
    this.noteFailure(error);
  }
}

function groupByModel(slots: readonly Slot[], model: string | undefined): Map<string, Slot[]> {
  const groups = new Map<string, Slot[]>();
  for (const slot of slots) {
    const name = model ?? slot.model;
    const group = groups.get(name);
    if (group) group.push(slot);
    else groups.set(name, [slot]);
  }
  return groups;
}
