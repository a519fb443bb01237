import type { IContent } from '../../content/content.ts';
import { countEntry } from '../../tokens/entries/entry.ts';
import { sliceText } from '../../tokens/exact/split-points.ts';
import { addFeatures } from '../../tokens/features.ts';
import type { FamilyTokenizer } from '../../tokens/index.ts';
import { SLICE_UNITS } from './long-text.ts';

/** What `countEntry` gives, in short steps: long texts are cut where that changes no count (docs/token-counting.md). */
export function* countInSlices(entry: IContent, tokenizer: FamilyTokenizer): Generator<void, number, void> {
  const texts: string[] = [];
  const { family } = tokenizer;
  countEntry(entry, { family, count: (text) => texts.push(text) });
  yield;
  const counts: number[] = [];
  for (const text of texts) {
    let features = tokenizer.measure('');
    for (const slice of sliceText(text, SLICE_UNITS)) {
      features = addFeatures(features, tokenizer.measure(slice));
      yield;
    }
    counts.push(tokenizer.tokensOf(features));
  }
  // The same texts are asked for again, in the same order.
  let next = 0;
  return countEntry(entry, { family, count: () => counts[next++] ?? 0 });
}
