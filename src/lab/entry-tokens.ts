import type { IContent } from '../content/content.ts';
import { madeOnce } from '../content/group-by.ts';
import { type CountBlock, entryCounter } from '../tokens/entries/block-counter.ts';

/** Counts each entry once. */
export function entryTokens({
  model,
  countBlock,
}: {
  readonly model: string;
  readonly countBlock: CountBlock;
}): (entry: IContent) => number {
  const count = entryCounter(model, countBlock);
  const known = new Map<IContent, number>();
  return (entry) => madeOnce(known, entry, () => count(entry));
}
