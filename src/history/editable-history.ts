import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { pairSafeIndex } from '../content/calls/boundary.ts';
import type { IContent, ToolResponseBlock } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { checkDensityResult } from './apply.ts';
import { CompressionWindow } from './compression-window.ts';
import { CountedHistory } from './counted-history.ts';
import type { Engine } from './engine.ts';
import { describeInvalidEntry } from './entry-check.ts';
import { EntryLog, type HistoryMark, type Slot } from './entry-log.ts';
import { MutationCheck } from './mutation-check.ts';
import { answersEarlier, cancelledResponses, unansweredByEntry } from './unanswered.ts';
import { UndoLog, undoableEdits } from './undo-log.ts';

/** Edits of a density result; more are applied in steps. Source: bench `slice.resume.10M`. */
const LONG_RESULT = 32;

/** The editing half of `HistoryService`: changes to what stands already, each of them whole or not at all. */
export abstract class EditableHistory extends CountedHistory {
  protected readonly window = new CompressionWindow();
  protected readonly undo = new UndoLog();
  /** Rises with content that no optimiser has seen. */
  protected version = 0;
  readonly #mutationCheck: MutationCheck | undefined;

  protected constructor(options: { engine: Engine; model: string; detectMutation: boolean }) {
    super(new EntryLog(options.engine), options);
    if (options.detectMutation) this.#mutationCheck = new MutationCheck();
  }

  /**
   * Makes `contents` the history, all at once; on failure history and totals stay. What is added after the call stands
   * after `contents`, and a `clear` after the call empties them too.
   * @throws CompressionStrategyError `HISTORY_INVALID` for an entry that `add` would refuse; what a counter throws.
   */
  async replaceAll(contents: readonly IContent[], modelName?: string): Promise<void> {
    const isRebuild = this.window.isOpen;
    const [epoch, firstLaterSequence] = [this.log.epoch, this.log.nextSequence];
    const model = this.modelFor(modelName);
    for (const [index, content] of contents.entries()) this.#checkValid(content, index);
    const slots = contents.map((content) => this.createSlot(content, { model }));
    await this.ledger.runLocked(async () => {
      await this.settleOrNote(slots);
      if (epoch !== this.log.epoch) return;
      const later = this.log.slots.filter((slot) => slot.sequence >= firstLaterSequence);
      if (isRebuild) {
        this.undo.noteCompression(this.log.slots, this.log.nextSequence);
        this.window.noteRebuild();
      } else {
        this.undo.forget();
        this.version++;
      }
      this.dropNegativeOffset();
      this.announceTokens(this.log.assign([...slots, ...later]));
    });
  }

  /** Takes the newest entry out and returns it; while compressing, the newest that is queued, if the last operation was an add. */
  pop(): IContent | undefined {
    const queued = this.window.retract(() => true);
    if (queued) return queued.content;
    const last = this.log.slots.at(-1);
    if (last) this.#takeOut(last);
    return last?.content;
  }

  /** Takes the newest entry out when it is this very object, and says whether it was. */
  removeLastIfMatches(content: IContent): boolean {
    if (this.window.retract((queued) => queued === content)) return true;
    const last = this.log.slots.at(-1);
    if (last?.content !== content) return false;
    this.#takeOut(last);
    return true;
  }

  /**
   * Applies the edits of an optimisation: all of them, or none when it throws. `base` is the moment that they were
   * computed for, the call when absent. Linear in entries; counts what is new only.
   * @throws CompressionStrategyError as `checkDensityResult`; `DENSITY_DURING_COMPRESSION`; `HISTORY_CHANGED` when the
   * indices or facts that the result relies on no longer hold; what a counter throws (REQ-HD-013.2, 013.3).
   */
  async applyDensityResult(result: DensityResult, base?: HistoryMark): Promise<void> {
    const mark = base ?? this.log.mark();
    this.#checkNotCompressing();
    // Each step over a long result takes a millisecond or two, the first time in a process.
    const pause = async (): Promise<void> => {
      if (result.removals.length + result.replacements.size > LONG_RESULT) await nextEventLoopTurn();
    };
    await this.ledger.runLocked(async () => {
      this.#checkStillApplies(mark);
      checkDensityResult(result, mark.length);
      await pause();
      this.#checkUnmoved(mark);
      const created = new Map<number, Slot>();
      for (const [index, content] of result.replacements) {
        const old = this.log.slots[index]!;
        created.set(index, this.createSlot(content, { model: old.model, inPlaceOf: old }));
      }
      const edits = undoableEdits(this.log.slots, result);
      await pause();
      await this.settleOrNote([...created.values(), ...this.log.failed]);
      await pause();
      // The history may have moved while the replacements were counted; from here to the edit nothing waits.
      this.#checkStillApplies(mark);
      this.undo.noteOptimization(edits, this.log.nextSequence);
      this.announceTokens(this.log.edit(result, created));
      await pause();
    });
  }

  /**
   * Replaces one response by one to the same call of the same tool; `false` when there is no such response at that
   * place. When counting fails the history stays and it throws.
   */
  async replaceToolResponseBlock(
    entryIndex: number,
    blockIndex: number,
    block: ToolResponseBlock,
    modelName?: string,
  ): Promise<boolean> {
    return this.ledger.runLocked(async () => {
      const old = this.log.slots[entryIndex];
      const stands = old?.content.blocks[blockIndex];
      const matches =
        stands?.type === 'tool_response' && stands.callId === block.callId && stands.toolName === block.toolName;
      if (this.window.isOpen || old === undefined || !matches || block.type !== 'tool_response') return false;
      const content = { ...old.content, blocks: old.content.blocks.with(blockIndex, block) };
      const slot = this.createSlot(content, { model: this.modelFor(modelName ?? old.model), inPlaceOf: old });
      await this.ledger.settleTogether([slot]);
      if (this.window.isOpen || this.log.slots[entryIndex] !== old) return false;
      this.undo.change(old);
      this.announceTokens(this.log.assign(this.log.slots.with(entryIndex, slot)), content.metadata?.id);
      return true;
    });
  }

  /** Answers every unanswered call as cancelled, in a synthetic tool entry right after the entry that made it. */
  validateAndFix(): void {
    const unanswered = unansweredByEntry(this.log.entries);
    if (unanswered.size === 0) return;
    const created: Slot[] = [];
    const slots = this.log.slots.flatMap((slot, index) => {
      const calls = unanswered.get(index);
      if (calls === undefined) return [slot];
      const place = { sequence: slot.sequence + 0.5 };
      const answer = this.createSlot(cancelledResponses(calls), { model: slot.model, inPlaceOf: place });
      created.push(answer);
      this.undo.change(slot);
      return [slot, answer];
    });
    this.log.assign(slots);
    this.ledger.track(created);
  }

  /**
   * Replaces all but the newest `keepRecentCount` entries by the entry that `summarizeFn` returns for them; more are
   * kept where a pair would be split. When it throws, the history stays.
   * @throws CompressionStrategyError `HISTORY_CHANGED` when the entries summarised were changed meanwhile.
   */
  async summarizeOldHistory(
    keepRecentCount: number,
    summarizeFn: (contents: IContent[]) => Promise<IContent>,
  ): Promise<void> {
    const { entries } = this.log;
    const cut = pairSafeIndex(entries, entries.length - Math.max(0, keepRecentCount), { direction: 'earlier' });
    const [mark, oldest] = [this.log.mark(), this.log.slots[0]];
    if (cut <= 0 || oldest === undefined) return;
    const summary = await summarizeFn(entries.slice(0, cut));
    this.#checkValid(summary, 0);
    await this.ledger.runLocked(async () => {
      const slot = this.createSlot(summary, { model: oldest.model, inPlaceOf: oldest });
      await this.settleOrNote([slot]);
      this.#checkUnmoved(mark);
      this.undo.noteCompression(this.log.slots, this.log.nextSequence);
      this.announceTokens(this.log.assign([slot, ...this.log.slots.slice(cut)]));
    });
  }

  /** @throws CompressionStrategyError `HISTORY_MUTATED` with the index, where `detectMutation` is on. */
  verifyUnchanged(): void {
    this.#mutationCheck?.verify(this.log.entries);
  }

  /** A slot for `content`, which is from now on expected not to change. */
  protected createSlot(content: IContent, options: { model: string; inPlaceOf?: Pick<Slot, 'sequence'> }): Slot {
    this.#mutationCheck?.remember(content);
    return this.log.createSlot(content, options.model, options.inPlaceOf);
  }

  #takeOut(slot: Slot): void {
    this.log.remove(slot);
    this.undo.withdraw(slot.content);
    this.announceTokens(-slot.tokens, slot.content.metadata?.id);
  }

  #checkValid(content: IContent, index: number): void {
    const fault = describeInvalidEntry(content);
    if (fault === undefined) return;
    throw new CompressionStrategyError(
      `Expected an entry with a speaker and blocks at index ${index}, got ${fault}. The history is as it was.`,
      'HISTORY_INVALID',
    );
  }

  #checkNotCompressing(): void {
    if (!this.window.isOpen) return;
    throw new CompressionStrategyError(
      'Expected no compression while a density result is applied, got one that is running. Nothing was changed; wait for its end and optimise again.',
      'DENSITY_DURING_COMPRESSION',
    );
  }

  #checkUnmoved(mark: HistoryMark): void {
    if (this.log.hasOnlyGrownSince(mark)) return;
    throw new CompressionStrategyError(
      'Expected the history to have only grown since the edits were computed, got one whose entries moved. Nothing was changed; compute them again.',
      'HISTORY_CHANGED',
    );
  }

  /** What a result of `mark` relied on must still hold: its indices, and which of the calls before it are unanswered. */
  #checkStillApplies(mark: HistoryMark): void {
    this.#checkNotCompressing();
    this.#checkUnmoved(mark);
    if (!answersEarlier(this.log.entries, mark.length)) return;
    throw new CompressionStrategyError(
      'Expected no call of the optimised history to be answered since, got an answer. Nothing was changed; optimise again.',
      'HISTORY_CHANGED',
    );
  }
}
