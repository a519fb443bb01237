import type { ContentBlock, IContent } from '../content/content.ts';
import { type ChangedBlock, type ChangedEntry, reasonFor } from './changed-entries.ts';

const isThought = ({ type }: ContentBlock): boolean => type === 'thinking';

/** True for an entry of nothing but thinking. No provider accepts one, and most formats do not write it. */
const isBareThought = ({ blocks }: IContent): boolean => blocks.every(isThought);

/** The change of an entry. If only thinking is left, the entry is removed, for the reason of its first removed block. */
export function withoutBareThought(change: ChangedEntry): ChangedEntry {
  const { index, before, after, blocks } = change;
  if (after === undefined || !isBareThought(after)) return change;
  const reason = reasonFor(blocks[0]!);
  const changed = new Map(blocks.map((one) => [one.block, one]));
  const all = before.blocks.map(
    (block, at): ChangedBlock =>
      changed.get(block) ?? { block, edits: [{ entry: index, block: at, kind: 'remove', reason }] },
  );
  return { index, before, blocks: all };
}
