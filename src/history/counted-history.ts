import type { IContent } from '../content/content.ts';
import type { Engine, EngineListener, ServedHistory } from './engine.ts';
import type { EntryLog, Slot } from './entry-log.ts';
import type { HistoryEvents } from './events.ts';
import { KeptCounts } from './kept-counts.ts';
import { ReadableHistory } from './readable-history.ts';
import { type HistoryStatistics, statisticsOf } from './statistics.ts';
import { TokenLedger } from './token-ledger.ts';

const wholeOffset = (tokens: number): number => (Number.isFinite(tokens) ? Math.max(0, Math.floor(tokens)) : 0);

/** The counting half of `HistoryService`: how large the history is, and for which model. */
export abstract class CountedHistory extends ReadableHistory {
  protected readonly ledger: TokenLedger;
  readonly #counts: KeptCounts;
  #engine: Engine;
  readonly #defaultModel: string;
  #targetModel: string | undefined;
  /** Below 0 when a provider reported less than the entries were counted at. */
  #offset = 0;
  readonly #served: ServedHistory;
  readonly #engineListener: EngineListener = {
    degraded: (reason) => this.announce('engineDegraded', { reason }),
    restored: () => this.announce('engineRestored'),
    progressed: (progress) => this.announce('engineProgress', progress),
  };
  /** Rises when the accounting is reset; a sync that was asked for before is dropped. */
  #accountingEpoch = 0;

  protected constructor(log: EntryLog, { engine, model }: { engine: Engine; model: string }) {
    super(log);
    this.#engine = engine;
    this.#defaultModel = model;
    this.#counts = new KeptCounts(engine);
    this.#served = { entries: log.entries, keepCount: (entry, count) => this.#counts.keep(entry, count) };
    engine.serve(this.#served, this.#engineListener);
    this.ledger = new TokenLedger(log, { counts: this.#counts, onCounted: (slot) => this.#announceSlot(slot) });
  }

  /** What does the heavy work of this history. */
  get engine(): Engine {
    return this.#engine;
  }

  /** Base offset and all counts known so far; never negative. */
  getTotalTokens(): number {
    return Math.max(0, this.#offset + this.log.tokens);
  }

  /** Tokens of each entry, in order, base offset apart; 0 for one that is not counted yet. */
  getTokensPerEntry(): number[] {
    return this.log.slots.map((slot) => slot.tokens);
  }

  getStatistics(): HistoryStatistics {
    return statisticsOf(this.log.entries, this.getTotalTokens());
  }

  /** Tokens that every call carries beside the history: the system prompt and the tools. At least 0. */
  getBaseTokenOffset(): number {
    return Math.max(0, this.#offset);
  }

  /** Sets the offset to whole tokens, at least 0; emits `tokensUpdated` when it changes. */
  setBaseTokenOffset(tokens: number): void {
    this.#moveOffset(wholeOffset(tokens));
  }

  /**
   * Anchors the total at what a provider reported, once the token work queued so far is done. Ignored unless finite;
   * dropped when the history is cleared or its accounting reset before that.
   */
  syncTotalTokens(actualTotal: number): void {
    if (!Number.isFinite(actualTotal)) return;
    const [epoch, accountingEpoch] = [this.log.epoch, this.#accountingEpoch];
    void this.ledger.runLocked(() => {
      if (epoch !== this.log.epoch || accountingEpoch !== this.#accountingEpoch) return;
      this.#moveOffset(wholeOffset(actualTotal) - this.log.tokens);
    });
  }

  /** Offset 0, and syncs that are still queued are dropped. */
  resetTokenAccounting(): void {
    this.#accountingEpoch++;
    this.#moveOffset(0);
  }

  /** Whose tokenizer counts, where that was set. */
  protected get targetModel(): string | undefined {
    return this.#targetModel;
  }

  /** Whose tokenizer counts from now on, whatever name an add brings; `recalculateTotalTokens` recounts what stands. */
  setActiveTokenizationTarget(model: string, _provider?: string): void {
    this.#targetModel = model;
  }

  /** Makes `model` the tokenization target and recounts what was counted for another one; linear in entries if anything was. */
  async countFor(model: string): Promise<void> {
    this.setActiveTokenizationTarget(model);
    await this.ledger.idle();
    if (this.log.isAllOf(model)) return;
    await this.ledger.runLocked(async () => {
      const others = this.log.slots.filter((slot) => slot.model !== model && slot.state !== 'uncounted');
      if (others.length === 0) return;
      const before = this.log.tokens;
      await this.settleOrNote(others, { model });
      this.announceTokens(this.log.tokens - before);
    });
  }

  /** Tokens of `text`. Changes nothing. */
  estimateTokensForText(text: string, modelName?: string): Promise<number> {
    return this.#counts.tokensOfText(text, this.modelFor(modelName));
  }

  /** Tokens of all `contents` together, base offset apart. Changes nothing; what is known is not counted again. */
  async estimateTokensForContents(contents: readonly IContent[], modelName?: string): Promise<number> {
    const counts = await this.#counts.all(contents, this.modelFor(modelName));
    return counts.reduce((sum, tokens) => sum + tokens, 0);
  }

  /**
   * Resolves when all queued token work is done.
   * @throws what failed in it, once; an `AggregateError` if several (ERR-021).
   */
  waitForTokenUpdates(): Promise<void> {
    return this.ledger.settled();
  }

  /** Counts every entry anew, kept counts ignored, for `modelName` where given (docs/readings.md, row 28; REQ-HD-003.6). */
  async recalculateTotalTokens(modelName?: string): Promise<void> {
    const model = modelName ?? this.#targetModel;
    await this.ledger.runLocked(() => this.#recount(model));
  }

  /** The same as `recalculateTotalTokens`. */
  recalculateTokens(modelName?: string): Promise<void> {
    return this.recalculateTotalTokens(modelName);
  }

  /** Hands the history over to another engine when the token work queued so far is done. The old one is not disposed. */
  async setEngine(engine: Engine): Promise<void> {
    await this.ledger.runLocked(() => {
      this.#engine = engine;
      engine.serve(this.#served, this.#engineListener);
      this.#counts.useEngine(engine);
      this.log.setWatcher(engine);
    });
  }

  /** The model that counts an entry: the active target, else the one it came with, else the history's own. */
  protected modelFor(modelName: string | undefined): string {
    return this.#targetModel ?? modelName ?? this.#defaultModel;
  }

  /** Counts slots on the lock; a failure rejects and surfaces at `waitForTokenUpdates` too (docs/readings.md, row 28; ERR-020). */
  protected async settleOrNote(slots: readonly Slot[], options: Parameters<TokenLedger['settleTogether']>[1] = {}) {
    try {
      await this.ledger.settleTogether(slots, options);
    } catch (error) {
      this.ledger.noteFailure(error);
      throw error;
    }
  }

  /** Emits; what a listener throws surfaces at `waitForTokenUpdates`. */
  protected announce<Name extends keyof HistoryEvents>(name: Name, ...details: HistoryEvents[Name]): void {
    try {
      // The emitter's own signature cannot tell the arguments of a generic name.
      (this.emit as (event: string, ...rest: readonly unknown[]) => boolean).call(this, name, ...details);
    } catch (error) {
      this.ledger.noteFailure(error);
    }
  }

  protected announceTokens(addedTokens: number, contentId: string | null = null): void {
    if (this.listenerCount('tokensUpdated') === 0) return;
    this.announce('tokensUpdated', { totalTokens: this.getTotalTokens(), addedTokens, contentId });
  }

  /** What a provider reported about entries that are gone must not make the total of the next ones too small. */
  protected dropNegativeOffset(): void {
    this.#offset = Math.max(0, this.#offset);
  }

  #moveOffset(offset: number): void {
    const moved = offset - this.#offset;
    if (moved === 0) return;
    this.#offset = offset;
    this.announceTokens(moved);
  }

  #announceSlot({ tokens, content }: Slot): void {
    this.announceTokens(tokens, content.metadata?.id ?? null);
  }

  /** Uncounted entries are left to the drain that is queued behind. */
  async #recount(model: string | undefined): Promise<void> {
    const before = this.log.tokens;
    const slots = this.log.slots.filter((slot) => slot.state !== 'uncounted');
    await this.settleOrNote(slots, { fresh: true, model });
    this.announceTokens(this.log.tokens - before);
  }
}
