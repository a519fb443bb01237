import { textLength } from '../content/block-text.ts';
import type { IContent } from '../content/content.ts';
import { madeOnce } from '../content/group-by.ts';
import type { Candidate } from '../economics/decision.ts';
import { editGroups, type FoundEdits } from '../strategies/reasons/edit-groups.ts';

/** Edits that apply together or not at all, and the entries that they change, in ascending order. */
export interface WaitingEdit extends Candidate {
  readonly entries: readonly number[];
}

/** Tokens that a changed entry loses; negative if it grows, `undefined` if it is not changed after all. */
type SavedAt = (entry: number) => number | undefined;

/** The edits of a result as candidates of a decision, in groups (`editGroups`): those that save something. Linear in the edits. */
export function waitingEdits(history: readonly IContent[], found: FoundEdits, savedAt: SavedAt): WaitingEdit[] {
  return editGroups(history, found).flatMap((group) => {
    let savedTokens = 0;
    const entries = group.filter((entry) => {
      const saved = savedAt(entry);
      savedTokens += saved ?? 0;
      return saved !== undefined;
    });
    return savedTokens > 0 ? { at: entries[0]!, savedTokens, entries } : [];
  });
}

/** What edits save where they are applied as they are: `tokens` has the count of each entry, a replacement's is estimated by its length. */
export const savedByLength =
  (history: readonly IContent[], { replacements }: FoundEdits, tokens: readonly number[]): SavedAt =>
  (entry) => {
    const count = tokens[entry] ?? 0;
    const replacement = replacements.get(entry);
    if (replacement === undefined) return count;
    const length = knownLength(history[entry]!);
    // More than 1 where lines are put back, which markers named elsewhere.
    const keptRatio = length === 0 ? 1 : knownLength(replacement) / length;
    return Math.round(count * (1 - keptRatio));
  };

/** Waiting edits are weighed before each call, and entries are immutable. */
const textLengths = new WeakMap<IContent, number>();

const knownLength = (entry: IContent): number => madeOnce(textLengths, entry, () => textLength(entry));
