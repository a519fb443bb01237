export type { CountBlock } from '../tokens/entries/block-counter.ts';
export { blockCounter } from '../tokens/entries/block-counter.ts';
export { countBlock, countEntry } from '../tokens/entries/entry.ts';
export type { Tokenizer } from '../tokens/family.ts';
export type { FamilyName, FamilyTokenizer } from '../tokens/index.ts';
export { createTokenizer, TOKENIZER_FAMILIES } from '../tokens/index.ts';
export { learnFactor } from '../tokens/learn-factor.ts';
export { contextLimitOfModel, familyOfModel } from '../tokens/models.ts';
