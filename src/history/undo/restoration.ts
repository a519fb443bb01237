import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryParts } from '../parts.ts';
import type { LossyStep } from './undo-log.ts';

/** What undoing a step did: how many entries were restored, and how many others (summaries, pruned forms) they replaced. */
export type Restoration =
  | { readonly kind: 'nothing-to-restore' }
  | { readonly kind: 'restored'; readonly entriesRestored: number; readonly entriesRemoved: number };

/** Undoes the last compression or optimisation. */
export async function restored({ log, ledger, window, undo }: HistoryParts, step: LossyStep): Promise<Restoration> {
  await window.closed;
  return ledger.lock.run(async () => {
    const planned = undo.plan(step, log.slots);
    if (planned === undefined) return { kind: 'nothing-to-restore' };
    const version = log.version();
    // An entry that is in the history keeps its slot, which may be waiting for its count.
    const slots = planned.map((slot) =>
      slot.isPresent ? slot : log.createSlot(slot.content, ledger.modelFor(slot.model), slot),
    );
    await ledger.settle(slots.filter(({ isPresent }) => !isPresent));
    if (window.isOpen || !log.hasOnlyGrownSince(version)) {
      throw new CompressionStrategyError(
        'Expected the history to have only grown while a step was undone, got one that is compressed or edited. Nothing was changed; try again.',
        'HISTORY_CHANGED',
      );
    }
    const old = log.entries.slice(0, version.length);
    const before = new Set(old);
    const after = new Set(slots.map(({ content }) => content));
    const entriesRestored = slots.filter(({ content }) => !before.has(content)).length;
    const entriesRemoved = old.filter((content) => !after.has(content)).length;
    ledger.dropNegativeOffset();
    ledger.announce(log.assign([...slots, ...log.slots.slice(version.length)]));
    undo.noteUndone(step);
    return { kind: 'restored', entriesRestored, entriesRemoved };
  });
}
