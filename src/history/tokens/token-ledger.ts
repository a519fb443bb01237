import type { IContent } from '../../content/content.ts';
import type { Announcer } from '../announcer.ts';
import type { EntryLog } from '../entries/entry-log.ts';
import type { Slot } from '../entries/slot.ts';
import { AppendedCounts } from './appended-counts.ts';
import type { RecountOptions, SlotCounts } from './slot-counts.ts';
import type { TokenLock } from './token-lock.ts';

const wholeOffset = (tokens: number): number => (Number.isFinite(tokens) ? Math.max(0, Math.floor(tokens)) : 0);

interface TokenLedgerParts {
  readonly log: EntryLog;
  readonly lock: TokenLock;
  readonly counts: SlotCounts;
  readonly announcer: Announcer;
  /** Counts entries whose add named no model. */
  readonly defaultModel: string;
}

/** How large a history is, for which model, and how that changes: base offset, recounts, estimates, events. */
export class TokenLedger {
  readonly lock: TokenLock;
  readonly counts: SlotCounts;
  readonly #parts: TokenLedgerParts;
  readonly #appended: AppendedCounts;
  #targetModel: string | undefined;
  /** Below 0 when a provider reported less than the counts of the entries. */
  #offset = 0;
  #resetCount = 0;

  constructor(parts: TokenLedgerParts) {
    const { log, lock, counts } = parts;
    this.#parts = parts;
    this.lock = lock;
    this.counts = counts;
    const onCounted = ({ tokens, content }: Slot): void => this.announce(tokens, content.metadata?.id);
    this.#appended = new AppendedCounts({ lock, totals: log.totals, counts, onCounted });
  }

  get targetModel(): string | undefined {
    return this.#targetModel;
  }

  /** From now on `model` counts every entry that is added. */
  setTargetModel(model: string): void {
    this.#targetModel = model;
  }

  /** The model that counts an entry: the target model, else `modelName`, else the default. */
  modelFor(modelName: string | undefined): string {
    return this.#targetModel ?? modelName ?? this.#parts.defaultModel;
  }

  /** Base offset and all counts known so far; never negative. */
  total(): number {
    return Math.max(0, this.#offset + this.#parts.log.totals.tokens);
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
    const { log } = this.#parts;
    const [clearCount, resetCount] = [log.clearCount, this.#resetCount];
    void this.lock.run(() => {
      if (clearCount !== log.clearCount || resetCount !== this.#resetCount) return;
      this.#moveOffset(wholeOffset(actualTotal) - log.totals.tokens);
    });
  }

  /** Sets the offset to 0 and drops queued syncs. */
  reset(): void {
    this.#resetCount++;
    this.#moveOffset(0);
  }

  /** Counts appended slots soon. */
  track(slots: readonly Slot[]): void {
    this.#appended.track(slots);
  }

  /** Makes `model` the target and recounts the entries that another model counted. */
  async countFor(model: string): Promise<void> {
    const { log } = this.#parts;
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
    return this.lock.run(() => this.#recount(this.#parts.log.slots, { model, fresh: true }));
  }

  estimateText(text: string, modelName?: string): Promise<number> {
    return this.counts.tokensOfText(text, this.modelFor(modelName));
  }

  async estimateContents(contents: readonly IContent[], modelName?: string): Promise<number> {
    const counts = await this.counts.all(contents, this.modelFor(modelName));
    return counts.reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Emits `tokensUpdated`. */
  announce(addedTokens: number, contentId: string | null = null): void {
    this.#parts.announcer.announce('tokensUpdated', { totalTokens: this.total(), addedTokens, contentId });
  }

  #moveOffset(offset: number): void {
    const moved = offset - this.#offset;
    if (moved === 0) return;
    this.#offset = offset;
    this.announce(moved);
  }

  /** Uncounted entries are left to their own task, which is queued behind. */
  async #recount(slots: readonly Slot[], options: RecountOptions): Promise<void> {
    const { totals } = this.#parts.log;
    const before = totals.tokens;
    await this.counts.settleAllOrNote(
      slots.filter(({ state }) => state !== 'uncounted'),
      options,
    );
    this.announce(totals.tokens - before);
  }
}
