import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { takeMoreThan } from '../../content/footprint.ts';
import { SerialQueue } from '../../serial-queue.ts';
import type { Engine } from '../engine.ts';
import type { EntryLog } from '../entries/entry-log.ts';
import type { Slot } from '../entries/slot-totals.ts';
import type { TokensUpdate } from '../events.ts';
import { type RecountOptions, SlotCounts } from './slot-counts.ts';

const wholeOffset = (tokens: number): number => (Number.isFinite(tokens) ? Math.max(0, Math.floor(tokens)) : 0);

/** What the ledger needs of its history. */
interface CountedHistory {
  readonly log: EntryLog;
  readonly engine: Engine;
  /** Must not throw. */
  announce(event: 'tokensUpdated', update: TokensUpdate): void;
}

/** How large a history is, for which model, and how that changes: counts of new entries, base offset, recounts, estimates. */
export class TokenLedger {
  /** The `tokenizerLock`: everything that counts or edits waits for its turn here. */
  readonly lock = new SerialQueue();
  readonly counts: SlotCounts;
  readonly #history: CountedHistory;
  readonly #defaultModel: string;
  #targetModel: string | undefined;
  /** Below 0 when a provider reported less than the counts of the entries. */
  #offset = 0;
  #resetCount = 0;
  #isClosed = false;
  /** Whether a task that will count all uncounted slots waits in the lock. */
  #isCountQueued = false;
  /** Ends when no question is open whose answer brings counts. */
  #question: Promise<unknown> = Promise.resolve();
  #failures: unknown[] = [];

  /** `defaultModel` counts entries whose add named no model. */
  constructor(history: CountedHistory, defaultModel: string) {
    this.#history = history;
    this.#defaultModel = defaultModel;
    this.counts = new SlotCounts(history, history.log.totals);
  }

  /** From now on `model` counts every entry that is added. */
  setTargetModel(model: string): void {
    this.#targetModel = model;
  }

  /** The model that counts an entry: the target model, else `modelName`, else the default. */
  modelFor(modelName: string | undefined): string {
    return this.#targetModel ?? modelName ?? this.#defaultModel;
  }

  /** Base offset and all counts known so far; never negative. */
  total(): number {
    return Math.max(0, this.#offset + this.#history.log.totals.tokens);
  }

  get baseOffset(): number {
    return Math.max(0, this.#offset);
  }

  /** Sets the offset to whole tokens, at least 0. */
  set baseOffset(tokens: number) {
    this.#moveOffset(wholeOffset(tokens));
  }

  /** A provider's report on removed entries must not make the total of later ones too small. */
  dropNegativeOffset(): void {
    this.#offset = Math.max(0, this.#offset);
  }

  /** Moves the offset so that the total is `actualTotal`, unless the history is cleared or reset before its turn. */
  sync(actualTotal: number): void {
    if (!Number.isFinite(actualTotal)) return;
    const { log } = this.#history;
    const clearCount = log.clearCount;
    const resetCount = this.#resetCount;
    const laterFrom = log.nextSequence;
    void this.lock.run(async () => {
      if (clearCount !== log.clearCount || resetCount !== this.#resetCount) return;
      this.#moveOffset(wholeOffset(actualTotal) - (log.totals.tokens - log.tokensFrom(laterFrom)));
    });
  }

  /** Sets the offset to 0 and drops queued syncs. */
  reset(): void {
    this.#resetCount++;
    this.#moveOffset(0);
  }

  /** The total is 0 from now on: reports that come later change nothing. */
  close(): void {
    this.#offset = 0;
    this.#isClosed = true;
  }

  /** Counts the slots that have no count yet soon, those of one burst of adds in one task of the lock. */
  countSoon(): void {
    if (this.#isCountQueued) return;
    this.#isCountQueued = true;
    void this.lock.run(async () => {
      // By then all of a burst is there, and a gate that follows it has asked its question.
      await nextEventLoopTurn();
      const { uncounted } = this.#history.log.totals;
      const { broughtBytes } = this.#history.engine;
      // The counts of a longer burst do not come with the answer.
      if (!takeMoreThan(broughtBytes, contentsOf(uncounted))) await this.#question;
      this.#isCountQueued = false;
      await this.#count([...uncounted]);
    });
  }

  /** The answer to a question about the history. New entries are counted after it, because it may bring their counts. */
  ask<Result>(question: () => Promise<Result>): Promise<Result> {
    const answer = question();
    this.#question = answer.catch(() => {});
    return answer;
  }

  /** Settles `slots` together. The caller has the lock. @throws what a counter throws, which the next wait also throws (docs/readings.md, row 28; ERR-020). */
  settle(slots: readonly Slot[]): Promise<void> {
    return this.#noted(() => this.counts.settleAll(slots));
  }

  /** Collects a failure for the next `settled`. */
  noteFailure(error: unknown): void {
    this.#failures.push(error);
  }

  /**
   * Resolves when no token work is left.
   * @throws what failed since the last call, an `AggregateError` if several (ERR-021).
   */
  async settled(): Promise<void> {
    await this.lock.idle();
    const failures = this.#failures.splice(0);
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) {
      throw new AggregateError(
        failures,
        `${counted(failures.length, 'token update')} failed; \`errors\` has each of them.`,
      );
    }
  }

  /** Makes `model` the target and recounts the entries that another model counted. @throws what a counter throws, once: the next call counts again. */
  async countFor(model: string): Promise<void> {
    const { log } = this.#history;
    this.#targetModel = model;
    await this.lock.idle();
    if (log.totals.isAllOf(model)) return;
    await this.lock.run(async () => {
      const others = log.slots.filter((slot) => slot.model !== model && slot.state !== 'uncounted');
      if (others.length > 0) await this.#recount(others, { model });
    });
  }

  /** Counts every entry again, for `modelName` or the target model where there is one. */
  recalculate(modelName?: string): Promise<void> {
    const model = modelName ?? this.#targetModel;
    return this.lock.run(() => this.#noted(() => this.#recount(this.#history.log.slots, { model, fresh: true })));
  }

  estimateText(text: string, modelName?: string): Promise<number> {
    return this.counts.tokensOfText(text, this.modelFor(modelName));
  }

  async estimateContents(contents: readonly IContent[], modelName?: string): Promise<number> {
    const model = this.modelFor(modelName);
    const counts = await this.counts.all(contents.map((content) => ({ content, model })));
    return counts.reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Emits `tokensUpdated`. */
  announce(addedTokens: number, contentId: string | null = null): void {
    this.#history.announce('tokensUpdated', { totalTokens: this.total(), addedTokens, contentId });
  }

  #moveOffset(offset: number): void {
    const moved = offset - this.#offset;
    if (moved === 0 || this.#isClosed) return;
    this.#offset = offset;
    this.announce(moved);
  }

  /** A slot that cannot be counted does not keep the others from being counted. */
  async #count(slots: readonly Slot[]): Promise<void> {
    const { totals } = this.#history.log;
    const { signal } = this.counts;
    let taken = 0;
    try {
      await this.counts.each(slots, { fresh: false, signal }, (count, at) => {
        const slot = slots[at]!;
        taken = at + 1;
        if ('error' in count) {
          totals.fail(slot);
          this.noteFailure(count.error);
          return;
        }
        this.counts.settle(slot, { model: slot.model, tokens: count.tokens });
        if (slot.isPresent) this.announce(slot.tokens, slot.content.metadata?.id);
      });
    } catch (error) {
      for (const slot of slots.slice(taken)) totals.fail(slot);
      this.noteFailure(error);
    }
  }

  /** What `work` throws the next wait also throws. */
  async #noted(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /** Uncounted entries are left to their own task, which is queued behind. */
  async #recount(slots: readonly Slot[], options: RecountOptions): Promise<void> {
    const { totals } = this.#history.log;
    const before = totals.tokens;
    await this.counts.settleAll(
      slots.filter(({ state }) => state !== 'uncounted'),
      options,
    );
    this.announce(totals.tokens - before);
  }
}

function* contentsOf(slots: Iterable<Slot>): Generator<IContent> {
  for (const { content } of slots) yield content;
}
