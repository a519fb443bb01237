import { claude, recentClaude } from './claude.ts';
import { threadCounter } from './exact/thread-counter.ts';
import type { Tokenizer, TokenizerFamily } from './family.ts';
import { NO_FEATURES, type TextFeatures } from './features.ts';
import { gemini } from './gemini.ts';
import { cl100k, o200k } from './openai.ts';
import { unknown } from './unknown.ts';

/** All tokenizer families, by name. */
export const TOKENIZER_FAMILIES = {
  o200k,
  cl100k,
  claude,
  'claude-4.7': recentClaude,
  gemini,
  unknown,
} as const satisfies Record<string, TokenizerFamily>;

export type FamilyName = keyof typeof TOKENIZER_FAMILIES;

/** A tokenizer that can count a text in slices (`sliceText`): add the features of the slices, then call `tokensOf` once. */
export interface FamilyTokenizer extends Tokenizer {
  readonly family: FamilyName;
  measure(text: string): TextFeatures;
  /** `count` of a text with these features. */
  tokensOf(features: TextFeatures): number;
}

/** The family of this name; `unknown` for another name. */
export function familyNamed(name: string): TokenizerFamily {
  return Object.hasOwn(TOKENIZER_FAMILIES, name) ? TOKENIZER_FAMILIES[name as FamilyName] : unknown;
}

/**
 * The tokenizer of a family. The first one of an encoding in a thread takes about 4 ms.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` if the packed vocabulary is missing or truncated.
 */
export function createTokenizer(name: FamilyName): FamilyTokenizer {
  const family = TOKENIZER_FAMILIES[name];
  const { count, measure } = threadCounter(family.encoding);
  const tokensOf = (features: TextFeatures): number => Math.round(family.tokensOf(features));
  const counts = {
    nothing: count,
    tokens: (text: string): number => tokensOf({ ...NO_FEATURES, tokens: count(text) }),
    features: (text: string): number => tokensOf(measure(text)),
  };
  return { family: name, count: counts[family.estimatesFrom], measure, tokensOf };
}
