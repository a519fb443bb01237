import type { LanguageModelUsage } from 'ai';
import type { Usage } from '../content/content.ts';

/** The usage that a vendor reported for one call; `undefined` if it reported none. */
export const usageOf = ({ inputTokens, outputTokens, cachedInputTokens }: LanguageModelUsage): Usage | undefined => {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && { cachedTokens: cachedInputTokens }),
  };
};
