import type { IContent } from '../content/content.ts';
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
  return (entry) => {
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const tokens = count(entry);
    known.set(entry, tokens);
    return tokens;
  };
}
