import type { IContent } from '../../content/content.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { Slot } from '../entries/slot-totals.ts';

/** Steps that remove content and can be undone. */
export type LossyStep = 'compression' | 'optimization';

/** The slots that the edits of a density result remove and replace. */
interface UndoableEdits {
  /** In the order of the history. */
  readonly removed: readonly Slot[];
  /** The slots before their replacement, by sequence. */
  readonly replaced: ReadonlyMap<number, Slot>;
}

/** Entries added after the step have sequences from `laterFrom` on. */
type Step =
  | { readonly kind: 'compression'; readonly laterFrom: number; before: readonly Slot[] }
  | ({ readonly kind: 'optimization'; readonly laterFrom: number } & UndoableEdits);

/** The slots that `result` will remove and replace. */
export function undoableEdits(slots: readonly Slot[], { removals, replacements }: DensityResult): UndoableEdits {
  const removed = [...removals].sort((a, b) => a - b).map((index) => slots[index]!);
  const replaced = [...replacements.keys()].map((index) => slots[index]!);
  return { removed, replaced: new Map(replaced.map((slot) => [slot.sequence, slot])) };
}

/** `slots` and `removed` in one list; each is ordered by sequence. Linear. */
function merged(slots: readonly Slot[], removed: readonly Slot[]): Slot[] {
  const all: Slot[] = [];
  let next = 0;
  for (const slot of slots) {
    while (next < removed.length && removed[next]!.sequence < slot.sequence) all.push(removed[next++]!);
    all.push(slot);
  }
  return [...all, ...removed.slice(next)];
}

/** The history before a step, followed by the entries that were added since. */
function undone(step: Step, slots: readonly Slot[]): Slot[] {
  if (step.kind === 'compression') {
    return [...step.before, ...slots.filter(({ sequence }) => sequence >= step.laterFrom)];
  }
  return merged(
    slots.map((slot) => step.replaced.get(slot.sequence) ?? slot),
    step.removed,
  );
}

/**
 * What the last compression, the last optimisation and every step since removed, so that each can be undone exactly.
 * It keeps in memory all entries that were removed since the older of the two.
 */
export class UndoLog {
  #steps: Step[] = [];

  /** `slots` is the history that a compression replaces; later entries have sequences from `laterFrom` on. */
  noteCompression(slots: readonly Slot[], laterFrom: number): void {
    this.#push({ kind: 'compression', laterFrom, before: [...slots] });
  }

  /** `edits` were made of the present history. */
  noteOptimization({ removed, replaced }: UndoableEdits, laterFrom: number): void {
    if (removed.length === 0 && replaced.size === 0) return;
    this.#push({ kind: 'optimization', laterFrom, removed, replaced });
  }

  /** The caller removed an entry itself: no undo restores it. */
  withdraw(content: IContent): void {
    for (const step of this.#steps) {
      if (step.kind !== 'compression') continue;
      const index = step.before.findLastIndex((slot) => slot.content === content);
      if (index !== -1) step.before = step.before.toSpliced(index, 1);
    }
  }

  /** The caller changed an entry itself: steps that would restore its old form are forgotten. */
  change({ sequence }: Slot): void {
    if (this.#steps.some(({ laterFrom }) => sequence < laterFrom)) this.forget();
  }

  /** Nothing can be undone any more. */
  forget(): void {
    this.#steps = [];
  }

  /** `slots`, the present history, without the last step of a kind and all steps since; `undefined` if there is no such step. */
  plan(kind: LossyStep, slots: readonly Slot[]): readonly Slot[] | undefined {
    const from = this.#lastOf(kind);
    if (from === -1) return undefined;
    return this.#steps.slice(from).reduceRight((present: readonly Slot[], step) => undone(step, present), slots);
  }

  /** The plan for a step of this kind was carried out. */
  noteUndone(kind: LossyStep): void {
    this.#steps = this.#steps.slice(0, this.#lastOf(kind));
  }

  /** Undoing a step undoes all later steps too, so none of them may be missing. */
  #push(step: Step): void {
    this.#steps.push(step);
    const needed = [this.#lastOf('compression'), this.#lastOf('optimization')].filter((index) => index !== -1);
    this.#steps = this.#steps.slice(Math.min(...needed));
  }

  #lastOf(kind: LossyStep): number {
    return this.#steps.findLastIndex((step) => step.kind === kind);
  }
}
