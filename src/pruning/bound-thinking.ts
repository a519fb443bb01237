import type { ContentBlock, IContent } from '../content/content.ts';
import type { DensityEdit, DensityResult } from '../strategies/contract.ts';
import { changedEntry, isBlank } from '../strategies/high-density/rules/changed-entry.ts';

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking';

/** True if an entry has thinking that a provider may have bound to what comes before it. */
export const hasBoundThinking = ({ blocks }: IContent): boolean =>
  blocks.some(
    (block) => block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined),
  );

/**
 * True if all thinking may be left out of the next request: the newest message is a person's, so that no loop of tools is open, and
 * each answer has more than thinking.
 */
export function canDropThinking(history: readonly IContent[]): boolean {
  const newest = history.slice(history.findLastIndex(({ speaker }) => speaker === 'ai') + 1);
  const isPersons = newest.length > 0 && newest.every(({ speaker }) => speaker === 'human');
  return isPersons && !history.some((entry) => hasBoundThinking(entry) && entry.blocks.every(isNothingElse));
}

const isNothingElse = (block: ContentBlock): boolean => isThinking(block) || isBlank(block);

/** The entries after this one that have bound thinking. */
export const boundThinkingAfter = (history: readonly IContent[], first: number): readonly number[] =>
  history.flatMap((entry, at) => (at > first && hasBoundThinking(entry) ? [at] : []));

/** A result that also leaves out the thinking of these entries. Entries that lose all else are removed. */
export function withoutThinkingOf(
  result: DensityResult,
  history: readonly IContent[],
  entries: readonly number[],
): DensityResult {
  if (entries.length === 0) return result;
  const removals = new Set(result.removals);
  const replacements = new Map(result.replacements);
  const edits = new Map<number, DensityEdit[]>();
  for (const at of entries) {
    if (removals.has(at)) continue;
    const blocks = (replacements.get(at) ?? history[at]!).blocks.filter((block) => !isThinking(block));
    if (blocks.every(isBlank)) {
      replacements.delete(at);
      removals.add(at);
    } else replacements.set(at, changedEntry(history[at]!, blocks));
    edits.set(at, editsOf(history[at]!, at));
  }
  const all = [...(result.edits ?? []), ...[...edits.values()].flat()];
  return {
    ...result,
    removals: [...removals].sort((one, other) => one - other),
    replacements: new Map([...replacements].sort(([one], [other]) => one - other)),
    edits: all.sort((one, other) => one.entry - other.entry || one.block - other.block),
  };
}

const editsOf = ({ blocks }: IContent, entry: number): DensityEdit[] =>
  blocks.flatMap((one, block): DensityEdit[] =>
    isThinking(one) ? [{ entry, block, kind: 'remove', reason: { rule: 'unboundThinking' } }] : [],
  );
