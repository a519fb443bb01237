import { CompressionStrategyError } from '../errors.ts';
import { EditableHistory } from './editable-history.ts';
import { Turnstile } from './turnstile.ts';
import type { LossyStep } from './undo-log.ts';

/** What undoing a step did. `entriesGone` gave way to what stood there before: summaries, pruned forms. */
export type Restoration =
  | { readonly kind: 'nothing-to-restore' }
  | { readonly kind: 'restored'; readonly entriesRestored: number; readonly entriesGone: number };

/** The part of `HistoryService` that gives back what was taken away. */
export abstract class RestorableHistory extends EditableHistory {
  readonly #gateTurns = new Turnstile();

  /** Runs gate work on this history one at a time, whichever gate it comes from (ERR-032). */
  runGateTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#gateTurns.run(task);
  }

  /** Resolves when no compression is running. */
  waitForCompression(): Promise<void> {
    return this.window.closed;
  }

  /**
   * Brings back, the same objects in the same places, what the last compression took away; what was added since stands
   * behind it, and optimisations since are undone as well. It takes its turn after gate runs, so that a gate run must
   * not wait for it. The next gate run may compress again: change the settings first. Linear in entries.
   * @throws CompressionStrategyError `HISTORY_CHANGED` when the history is compressed or edited meanwhile; what a
   * counter throws. The history is as it was then.
   */
  restoreLastCompression(): Promise<Restoration> {
    return this.#restore('compression');
  }

  /**
   * The same for the last density result that was applied, that of the last resort included; a compression since is
   * undone as well.
   * @throws CompressionStrategyError as `restoreLastCompression`.
   */
  restoreLastOptimization(): Promise<Restoration> {
    return this.#restore('optimization');
  }

  #restore(step: LossyStep): Promise<Restoration> {
    return this.runGateTurn(async () => {
      await this.waitForCompression();
      return this.ledger.runLocked(() => this.#restoreLocked(step));
    });
  }

  async #restoreLocked(step: LossyStep): Promise<Restoration> {
    const planned = this.undo.plan(step, this.log.slots);
    if (planned === undefined) return { kind: 'nothing-to-restore' };
    const mark = this.mark();
    // What stands there already keeps its slot: it may be waiting for its count.
    const slots = planned.map((slot) =>
      slot.isPresent ? slot : this.createSlot(slot.content, { model: this.modelFor(slot.model), inPlaceOf: slot }),
    );
    const created = slots.filter((slot) => !slot.isPresent);
    await this.settleOrNote(created);
    if (this.window.isOpen || !this.hasOnlyGrownSince(mark)) {
      throw new CompressionStrategyError(
        'Expected the history to have only grown while a step was undone, got one that is compressed or edited. Nothing was changed; try again.',
        'HISTORY_CHANGED',
      );
    }
    const before = this.log.slots.slice(0, mark.length).map(({ content }) => content);
    const after = slots.map(({ content }) => content);
    this.dropNegativeOffset();
    this.announceTokens(this.log.assign([...slots, ...this.log.slots.slice(mark.length)]));
    this.undo.noteUndone(step);
    const [stood, stands] = [new Set(before), new Set(after)];
    return {
      kind: 'restored',
      entriesRestored: after.filter((content) => !stood.has(content)).length,
      entriesGone: before.filter((content) => !stands.has(content)).length,
    };
  }
}
