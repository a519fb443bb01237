import type { IContent } from '../content/content.ts';
import type { Decision, DecisionCause } from '../economics/decision.ts';
import type { RemovingStep } from '../gate/report.ts';
import type { ChangedEntry } from '../strategies/changed-entries.ts';

interface MovePlace {
  /** Number of the event after it; for an answer, the change is before its model call. */
  readonly event: number;
  /** The next model call, from 1. */
  readonly turn: number;
}

interface MoveChanges {
  /** The policy's changes with their reasons; empty if the recorded agent made the change. */
  readonly changes: readonly ChangedEntry[];
}

/** A change of the context: of a few entries, or of any. */
export type ContextChange = MoveChanges &
  (
    | { readonly kind: 'optimized'; readonly decision?: Pick<Decision, 'cause'> }
    | { readonly kind: 'compressed' | 'rebuilt'; readonly after: readonly IContent[] }
  );

/** A change of the context by a step of the policy, or by the recorded agent (`rebuilt`). */
export type ContextMove = MovePlace & ContextChange;

/** The changes by the steps of one gate run. After a compression, `after` says what is left, because it makes new entries. */
export function changesBySteps(
  steps: readonly RemovingStep[],
  { cause, after }: { readonly cause: DecisionCause | undefined; readonly after: readonly IContent[] },
): ContextChange[] {
  const first = steps.findIndex(({ kind }) => kind === 'compressed');
  const optimized = (first === -1 ? steps : steps.slice(0, first)).map(
    ({ changes }): ContextChange => ({ kind: 'optimized', changes, ...(cause && { decision: { cause } }) }),
  );
  if (first === -1) return optimized;
  const changes = steps.slice(first).flatMap((step) => step.changes);
  return [...optimized, { kind: 'compressed', changes, after: [...after] }];
}

/** `entries` after a change. */
export function entriesAfter(entries: readonly IContent[], change: ContextChange): IContent[] {
  if (change.kind !== 'optimized') return [...change.after];
  return columnAfter(entries, { changes: change.changes, of: (entry) => entry });
}

/** The values of a column beside the entries after a change. `of` computes the value of a new entry. */
export function columnAfter<Value>(
  column: readonly Value[],
  { changes, of }: { readonly changes: readonly ChangedEntry[]; readonly of: (entry: IContent) => Value },
): Value[] {
  const changed = column.slice(0, changes[0]?.index);
  let from = changed.length;
  for (const { index, after } of changes) {
    while (from < index) changed.push(column[from++]!);
    if (after !== undefined) changed.push(of(after));
    from = index + 1;
  }
  while (from < column.length) changed.push(column[from++]!);
  return changed;
}
