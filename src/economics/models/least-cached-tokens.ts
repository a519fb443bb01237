import { canonicalModel } from '../model-name.ts';

/**
 * Tokens of the shortest prompt that is cached; the first row that matches counts. The strict provider reads this table too.
 * Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching as of 2026-08: 512 for Opus 5, Fable 5 and Mythos 5,
 * 1,024 for Opus 4.8 and 4.1, Sonnet 5, 4.6 and 4.5, 2,048 for Opus 4.7 and Haiku 3.5, 4,096 for Opus 4.6, Opus 4.5 and Haiku 4.5.
 * Fable 5.1 has 512 as well (https://github.com/theopenco/llmgateway/pull/3886), and so has Haiku 5.5
 * (https://apidog.com/jp/blog/claude-haiku-5-5-vs-haiku-4-5/, read on 2026-11-29). No page of the vendor that could be read says it
 * of Fable 5.2, Opus 5.5 and Sonnet 5.5: they are taken for their predecessors.
 * https://ai.google.dev/gemini-api/docs/caching as of 2026-10-23: 4,096 from Gemini 3 on, 2,048 for Gemini 2.5.
 * https://developers.openai.com/api/docs/guides/prompt-caching: 1,024.
 */
const MIN_TOKENS: readonly (readonly [models: RegExp, tokens: number])[] = [
  [/^claude-(?:(?:fable|mythos|opus)-5|haiku-5-5$)/, 512],
  [/^claude-(?:opus-4-[56]|haiku-4-5)$/, 4096],
  [/^claude-(?:opus-4-7|haiku-3(?:-5)?)$/, 2048],
  [/^gemini-[3-9]/, 4096],
  [/^gemini/, 2048],
];

/** Tokens of the shortest prompt of a model that its provider caches; 1,024 for an unknown model. */
export function leastCachedTokens(model: string): number {
  const canonical = canonicalModel(model);
  return MIN_TOKENS.find(([models]) => models.test(canonical))?.[1] ?? 1024;
}
