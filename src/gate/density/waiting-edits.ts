import { textLength } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { Candidate } from '../../economics/decision.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import { countEdits } from '../../strategies/reasons/edit-counts.ts';
import { editGroups, type FoundEdits } from '../../strategies/reasons/edit-groups.ts';

/** Edits that apply together or not at all, and the entries that they change. */
export interface WaitingEdit extends Candidate {
  readonly entries: readonly number[];
}

/**
 * The edits of a result as candidates of a decision, in groups (`editGroups`). `tokens` has the count of each entry; a
 * replacement's count is estimated by its length. Linear in the edits.
 */
export function waitingEdits(
  history: readonly IContent[],
  result: FoundEdits,
  tokens: readonly number[],
): readonly WaitingEdit[] {
  const savedTokens = (index: number): number => {
    const replacement = result.replacements.get(index);
    if (replacement === undefined) return tokens[index] ?? 0;
    const units = knownLength(history[index]!);
    // More than 1 where lines are put back, which notes named elsewhere.
    const keptRatio = units === 0 ? 1 : knownLength(replacement) / units;
    return Math.round((tokens[index] ?? 0) * (1 - keptRatio));
  };
  return editGroups(history, result).map((entries) => ({
    at: entries[0]!,
    savedTokens: entries.reduce((sum, index) => sum + savedTokens(index), 0),
    entries,
  }));
}

/** The part of a result that changes only these entries. */
export function onlyEntries(result: DensityResult, entries: ReadonlySet<number>): DensityResult {
  const edits = result.edits?.filter(({ entry }) => entries.has(entry));
  return {
    removals: result.removals.filter((index) => entries.has(index)),
    replacements: new Map([...result.replacements].filter(([index]) => entries.has(index))),
    metadata: edits === undefined ? result.metadata : countEdits(edits),
    ...(edits && { edits }),
  };
}

/** Waiting edits are weighed before each call, and entries are immutable. */
const textLengths = new WeakMap<IContent, number>();

function knownLength(entry: IContent): number {
  let length = textLengths.get(entry);
  if (length === undefined) {
    length = textLength(entry);
    textLengths.set(entry, length);
  }
  return length;
}
