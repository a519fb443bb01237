import type { IContent } from '../content/content.ts';
import { type CacheFacts, cachedTokensOf, PromptCache } from '../economics/prompt-cache.ts';
import type { Session } from '../formats/contract.ts';
import { ModelCalls } from './model-calls.ts';

/** The cost model's tokens beside those that the provider reported, over the calls of a session that have both. */
export interface UsageCheck {
  readonly calls: number;
  readonly promptTokens: { readonly modelled: number; readonly recorded: number };
  readonly cachedTokens: { readonly modelled: number; readonly recorded: number };
  /** The error of the modelled share of cached input, per call (0-1). */
  readonly shareErrors: readonly number[];
}

/**
 * The modelled prompt cache compared with the reports of the provider, for `session` as it was recorded. `undefined` if no
 * report contains a cached token: nothing says that a cache was used. Without copied calls. Linear in entries for each call.
 */
export function checkUsage(
  session: Session,
  { tokensOf, constantTokens, cache: facts }: UsageCheckOptions,
): UsageCheck | undefined {
  const cache = new PromptCache({ tokensOf, thinkingTokensOf: () => 0, constantTokens });
  const prompt = { modelled: 0, recorded: 0 };
  const cached = { modelled: 0, recorded: 0 };
  const shareErrors: number[] = [];
  for (const { entries, atMs, answer, isCopied } of new ModelCalls(session)) {
    const call = cache.call(entries, atMs);
    const { usage } = answer.metadata ?? {};
    if (isCopied || usage === undefined || usage.reported || usage.promptTokens === 0) continue;
    const recordedCached = usage.cachedTokens ?? 0;
    const cachedTokens = cachedTokensOf(call, facts);
    prompt.modelled += call.promptTokens;
    prompt.recorded += usage.promptTokens;
    cached.modelled += cachedTokens;
    cached.recorded += recordedCached;
    const share = call.promptTokens === 0 ? 0 : cachedTokens / call.promptTokens;
    shareErrors.push(Math.abs(share - recordedCached / usage.promptTokens));
  }
  if (cached.recorded === 0) return undefined;
  return { calls: shareErrors.length, promptTokens: prompt, cachedTokens: cached, shareErrors };
}

interface UsageCheckOptions {
  readonly tokensOf: (entry: IContent) => number;
  readonly constantTokens: number;
  readonly cache: CacheFacts;
}
