import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { CompressionStrategyError } from '../../errors.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { HistoryVersion } from '../entries/entry-log.ts';
import type { Slot } from '../entries/slot-totals.ts';
import type { HistoryParts } from '../parts.ts';
import { undoableEdits } from '../undo/undo-log.ts';
import { answersEarlier, checkDensityResult } from './density-check.ts';

/** Results with more edits are applied in steps. Source: bench `slice.resume.10M`. */
const LONG_RESULT = 32;

/** Applies all edits of a density result, or none of them. `base` is the version that it was computed for. */
export async function applyDensityEdits(
  parts: HistoryParts,
  result: DensityResult,
  base: HistoryVersion,
): Promise<void> {
  const { log, ledger, undo } = parts;
  checkNotCompressing(parts);
  // Each step of a long result takes a millisecond or two, the first time in a process.
  const pause = async (): Promise<void> => {
    if (result.removals.length + result.replacements.size > LONG_RESULT) await nextEventLoopTurn();
  };
  await ledger.lock.run(async () => {
    checkStillApplies(parts, base);
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
    checkStillApplies(parts, base);
    undo.noteOptimization(edits, log.nextSequence);
    ledger.announce(log.edit(result, created));
    await pause();
  });
}

function checkNotCompressing({ window }: HistoryParts): void {
  if (!window.isOpen) return;
  throw new CompressionStrategyError(
    'Expected no compression while a density result is applied, got one that is running. Nothing was changed; wait for its end and optimise again.',
    'DENSITY_DURING_COMPRESSION',
  );
}

/** What a result of `base` relied on must still be true: its indices, and which of the calls before it are unanswered. */
function checkStillApplies(parts: HistoryParts, base: HistoryVersion): void {
  const { log } = parts;
  checkNotCompressing(parts);
  log.checkOnlyGrownSince(base);
  if (!answersEarlier(log.entries, base.length)) return;
  throw new CompressionStrategyError(
    'Expected no call of the optimised history to be answered since, got an answer. Nothing was changed; optimise again.',
    'HISTORY_CHANGED',
  );
}
