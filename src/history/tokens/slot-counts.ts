import type { IContent } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import type { CurrentEngine } from '../current-engine.ts';
import type { CountRequest, EntryCount } from '../engine.ts';
import type { ModelCount, Slot } from '../entries/slot.ts';
import type { SlotTotals } from '../entries/slot-totals.ts';
import { TimeSlice } from '../time-slice.ts';
import type { TokenLock } from './token-lock.ts';

export interface RecountOptions {
  /** Count again what is known already. */
  readonly fresh?: boolean;
  /** Count all slots for this model, instead of each for its own. */
  readonly model?: string | undefined;
}

interface CountOptions {
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

const NEVER_ABORTED = new AbortController().signal;

/** Whole tokens, at least 0, whatever a counter returned (ERR-022). */
const wholeTokens = (counted: number): number => (Number.isFinite(counted) && counted > 0 ? Math.round(counted) : 0);

/** The counts of a history's entries: each is kept once, in the slot of the entry, and not asked for again for its model. */
export class SlotCounts {
  readonly #engine: CurrentEngine;
  readonly #lock: TokenLock;
  readonly #totals: SlotTotals;
  /** Of each entry the slot that was counted last, or the count alone of one that has no slot yet. */
  readonly #counted = new WeakMap<IContent, ModelCount>();
  #cancellation = new AbortController();

  constructor({ engine, lock, totals }: { engine: CurrentEngine; lock: TokenLock; totals: SlotTotals }) {
    this.#engine = engine;
    this.#lock = lock;
    this.#totals = totals;
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

  /** Tokens of `text`. Keeps nothing. */
  async tokensOfText(text: string, model: string): Promise<number> {
    return wholeTokens(await this.#engine.current.countText(text, model));
  }

  /** Keeps the count of an entry that may have no slot yet. */
  keep(content: IContent, { model, tokens }: ModelCount): void {
    this.#counted.set(content, { model, tokens: wholeTokens(tokens) });
  }

  /** Tokens of an entry, where they are known. */
  known(content: IContent, model: string): number | undefined {
    const counted = this.#counted.get(content);
    return counted?.model === model ? counted.tokens : undefined;
  }

  /** Records the count of a slot, in the running sums too. */
  settle(slot: Slot, count: ModelCount): void {
    this.#totals.settle(slot, count);
    this.#counted.set(slot.content, slot);
  }

  /**
   * Counts `slots` and settles them together; settles none after a `cancel`. The caller has the lock.
   * @throws what a counter throws; then no slot is settled.
   */
  async settleAll(slots: readonly Slot[], { fresh = false, model }: RecountOptions = {}): Promise<void> {
    const { signal } = this;
    const counted: { slots: readonly Slot[]; model: string; counts: readonly number[] }[] = [];
    for (const [name, group] of groupBy(slots, (slot) => model ?? slot.model)) {
      const contents = group.map((slot) => slot.content);
      const counts = await this.all(contents, name, { fresh, signal });
      if (signal.aborted) return;
      counted.push({ slots: group, model: name, counts });
    }
    for (const { slots: group, model: name, counts } of counted) {
      for (const [index, slot] of group.entries()) this.settle(slot, { model: name, tokens: counts[index]! });
    }
  }

  /** The same; a failure also surfaces at `waitForTokenUpdates` (docs/readings.md, row 28; ERR-020). */
  async settleAllOrNote(slots: readonly Slot[], options?: RecountOptions): Promise<void> {
    try {
      await this.settleAll(slots, options);
    } catch (error) {
      this.#lock.noteFailure(error);
      throw error;
    }
  }

  /**
   * Tokens of each of `contents` for `model`; meaningless once `signal` is aborted.
   * @throws what the counter threw for the first entry that failed.
   */
  async all(contents: readonly IContent[], model: string, options: CountOptions = {}): Promise<number[]> {
    const { fresh = false, signal = NEVER_ABORTED } = options;
    const tokens: number[] = [];
    const asked: number[] = [];
    const slice = new TimeSlice();
    for (const [index, content] of contents.entries()) {
      const known = fresh ? undefined : this.known(content, model);
      tokens.push(known ?? 0);
      if (known === undefined) asked.push(index);
      if (slice.isOver()) await slice.next();
    }
    if (asked.length === 0) return tokens;
    const entries = asked.map((index) => contents[index]!);
    await this.each(entries, { model, fresh, signal }, (count, at) => {
      if ('error' in count) throw count.error;
      this.keep(entries[at]!, { model, tokens: count.tokens });
      tokens[asked[at]!] = count.tokens;
    });
    return tokens;
  }

  /**
   * Asks for the counts of `contents` and gives each to `take`, in order and in time slices; ends early once aborted.
   * @throws what `take` throws; an error when the engine leaves entries out.
   */
  async each(
    contents: readonly IContent[],
    request: CountRequest,
    take: (count: EntryCount, at: number) => void,
  ): Promise<void> {
    let answered = 0;
    for await (const counts of this.#engine.current.countEntries(contents, request)) {
      const slice = new TimeSlice();
      for (const count of counts) {
        if (request.signal.aborted) return;
        take('error' in count ? count : { tokens: wholeTokens(count.tokens) }, answered++);
        if (slice.isOver()) await slice.next();
      }
    }
    if (answered === contents.length || request.signal.aborted) return;
    throw new Error(`Expected the engine to count ${contents.length} entries, got ${answered} counts.`);
  }
}
