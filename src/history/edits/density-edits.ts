import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { CompressionStrategyError } from '../../errors.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { HistoryVersion } from '../entries/entry-log.ts';
import type { Slot } from '../entries/slot.ts';
import type { HistoryParts } from '../parts.ts';
import { undoableEdits } from '../undo/undo-log.ts';
import { answersEarlier, checkDensityResult } from './density-check.ts';

/** Results with more edits are applied in steps. Source: bench `slice.resume.10M`. */
const LONG_RESULT = 32;

/** Applies density results: all edits of one, or none of them. */
export class DensityEdits {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** `base` is the version that `result` was computed for. */
  async apply(result: DensityResult, base: HistoryVersion): Promise<void> {
    const { log, ledger, undo } = this.#parts;
    this.#checkNotCompressing();
    // Each step of a long result takes a millisecond or two, the first time in a process.
    const pause = async (): Promise<void> => {
      if (result.removals.length + result.replacements.size > LONG_RESULT) await nextEventLoopTurn();
    };
    await ledger.lock.run(async () => {
      this.#checkStillApplies(base);
      checkDensityResult(result, base.length);
      await pause();
      log.checkOnlyGrownSince(base);
      const created = new Map<number, Slot>();
      for (const [index, content] of result.replacements) {
        const old = log.slots[index]!;
        created.set(index, log.createSlot(content, old.model, old));
      }
      const edits = undoableEdits(log.slots, result);
      await pause();
      await ledger.settle([...created.values(), ...log.totals.failed]);
      await pause();
      // The history may have changed while the replacements were counted; from here to the edit nothing waits.
      this.#checkStillApplies(base);
      undo.noteOptimization(edits, log.nextSequence);
      ledger.announce(log.edit(result, created));
      await pause();
    });
  }

  #checkNotCompressing(): void {
    if (!this.#parts.window.isOpen) return;
    throw new CompressionStrategyError(
      'Expected no compression while a density result is applied, got one that is running. Nothing was changed; wait for its end and optimise again.',
      'DENSITY_DURING_COMPRESSION',
    );
  }

  /** What a result of `base` relied on must still be true: its indices, and which of the calls before it are unanswered. */
  #checkStillApplies(base: HistoryVersion): void {
    const { log } = this.#parts;
    this.#checkNotCompressing();
    log.checkOnlyGrownSince(base);
    if (!answersEarlier(log.entries, base.length)) return;
    throw new CompressionStrategyError(
      'Expected no call of the optimised history to be answered since, got an answer. Nothing was changed; optimise again.',
      'HISTORY_CHANGED',
    );
  }
}
