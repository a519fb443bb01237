import type { IContent } from '../content/content.ts';
import { countEntry } from '../tokens/entry.ts';
import { createTokenizer } from '../tokens/index.ts';
import { familyOfModel } from '../tokens/models.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** How large things are for a model, in whole tokens. */
export interface Counter {
  countEntry(entry: IContent, model: string): number;
  countText(text: string, model: string): number;
}

/** Counts with the tokenizer of each model's family; a model's is made at its first use. */
export function createExactCounter(): Counter {
  const tokenizers = new Map<string, Tokenizer>();
  const tokenizerOf = (model: string): Tokenizer => {
    const known = tokenizers.get(model) ?? createTokenizer(familyOfModel(model));
    tokenizers.set(model, known);
    return known;
  };
  return {
    countEntry: (entry, model) => countEntry(entry, tokenizerOf(model)),
    countText: (text, model) => tokenizerOf(model).count(text),
  };
}
