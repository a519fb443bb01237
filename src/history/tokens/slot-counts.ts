import type { IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { Engine, EntryCount } from '../engine.ts';
import type { ModelCount, Slot, SlotTotals } from '../entries/slot-totals.ts';

export interface RecountOptions {
  /** Count again what is known already. */
  readonly fresh?: boolean;
  /** Count all slots for this model, instead of each for its own. */
  readonly model?: string | undefined;
}

/** An entry and the model that counts it, such as a slot. */
type Countable = Pick<Slot, 'content' | 'model'>;

interface CountOptions {
  /** Do not use known counts. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

/** A clock reading takes about as long as this many lookups. */
const LOOKUPS_PER_CLOCK_READING = 64;

const NEVER_ABORTED = new AbortController().signal;

/** Whole tokens, at least 0, whatever a counter returned (ERR-022). */
const wholeTokens = (counted: number): number => (Number.isFinite(counted) && counted > 0 ? Math.round(counted) : 0);

/** The counts of a history's entries: each is kept once, in the slot of the entry, and not asked for again for its model. */
export class SlotCounts {
  readonly #current: { readonly engine: Engine };
  readonly #totals: SlotTotals;
  /** For each entry the slot that was counted last, or only the count if the entry has no slot yet. */
  readonly #counted = new WeakMap<IContent, ModelCount>();
  #cancellation = new AbortController();

  constructor(current: { readonly engine: Engine }, totals: SlotTotals) {
    this.#current = current;
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
    return wholeTokens(await this.#current.engine.countText(text, model));
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
    const counted = model === undefined ? slots : slots.map(({ content }) => ({ content, model }));
    const counts = await this.all(counted, { fresh, signal });
    if (signal.aborted) return;
    for (const [index, slot] of slots.entries()) {
      this.settle(slot, { model: counted[index]!.model, tokens: counts[index]! });
    }
  }

  /**
   * Tokens of each of `countables`; meaningless once `signal` is aborted.
   * @throws what the counter threw for the first entry that failed.
   */
  async all(countables: readonly Countable[], options: CountOptions = {}): Promise<number[]> {
    const tokens: number[] = [];
    await this.each(countables, options, (count, at) => {
      if ('error' in count) throw count.error;
      const { content, model } = countables[at]!;
      if (this.known(content, model) !== count.tokens) this.keep(content, { model, tokens: count.tokens });
      tokens.push(count.tokens);
    });
    return tokens;
  }

  /**
   * Gives the count of each of `countables` to `take`, in order and in time slices: one that is known is not asked for,
   * unless `fresh`. Ends early once aborted.
   * @throws what `take` throws; an error when the engine leaves entries out.
   */
  async each(
    countables: readonly Countable[],
    { fresh = false, signal = NEVER_ABORTED }: CountOptions,
    take: (count: EntryCount, at: number) => void,
  ): Promise<void> {
    const slice = new TimeSlice();
    for (let at = 0; at < countables.length && !signal.aborted; ) {
      const { content, model } = countables[at]!;
      const tokens = fresh ? undefined : this.known(content, model);
      if (tokens !== undefined) {
        take({ tokens }, at++);
        if (slice.isOver()) await slice.next();
        continue;
      }
      // Everything unknown up to the next known one is asked for at once.
      const asked = [content];
      for (let next = countables[at + 1]; next?.model === model; next = countables[at + asked.length]) {
        if (!fresh && this.known(next.content, model) !== undefined) break;
        asked.push(next.content);
        if (asked.length % LOOKUPS_PER_CLOCK_READING === 0 && slice.isOver()) await slice.next();
      }
      const end = at + asked.length;
      for await (const counts of this.#current.engine.countEntries(asked, { model, fresh, signal })) {
        for (const count of counts) {
          if (signal.aborted) return;
          take('error' in count ? count : { tokens: wholeTokens(count.tokens) }, at++);
          if (slice.isOver()) await slice.next();
        }
      }
      if (at < end && !signal.aborted) {
        throw new Error(
          `Expected the engine to count ${counted(asked.length, 'entry', 'entries')}, got ${counted(at - end + asked.length, 'count')}.`,
        );
      }
    }
  }
}
