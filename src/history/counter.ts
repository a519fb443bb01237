import type { IContent } from '../content/content.ts';
import { madeOnce } from '../content/group-by.ts';
import { countEntry } from '../tokens/entries/entry.ts';
import { createTokenizer, type FamilyTokenizer, TOKENIZER_FAMILIES } from '../tokens/index.ts';
import { familyOfModel } from '../tokens/models.ts';
import { hasVocabulary, loadVocabulary } from '../tokens/vocabulary/load-vocabulary.ts';
import { countInSlices } from './tokens/sliced-count.ts';

/** Counts entries and texts for a model, in whole tokens. */
export interface Counter {
  countEntry(entry: IContent, model: string): number;
  countText(text: string, model: string): number;
  /** Loads what counting for the model needs; `undefined` when everything is loaded. */
  prepare?(model: string): Promise<void> | undefined;
  /** Returns what `countEntry` returns, in steps so short that timers and input can run in between. */
  countInSlices?(entry: IContent, model: string): Generator<void, number, void>;
}

/** Counts with the tokenizer of each model's family, which is created at its first use. */
export function createExactCounter(): Counter {
  const tokenizers = new Map<string, FamilyTokenizer>();
  const tokenizerOf = (model: string): FamilyTokenizer =>
    madeOnce(tokenizers, model, () => createTokenizer(familyOfModel(model)));
  return {
    countEntry: (entry, model) => countEntry(entry, tokenizerOf(model)),
    countText: (text, model) => tokenizerOf(model).count(text),
    prepare: (model) => {
      const { encoding } = TOKENIZER_FAMILIES[familyOfModel(model)];
      return hasVocabulary(encoding) ? undefined : loadVocabulary(encoding);
    },
    countInSlices: (entry, model) => countInSlices(entry, tokenizerOf(model)),
  };
}
