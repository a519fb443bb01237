import type { Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';

/** The `usage` of a chat completion; `undefined` if none was recorded. */
export function chatUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage) || typeof usage['prompt_tokens'] !== 'number') return undefined;
  const promptTokens = asCount(usage['prompt_tokens']);
  const completionTokens = asCount(usage['completion_tokens']);
  const totalTokens = asCount(usage['total_tokens']) || promptTokens + completionTokens;
  const details = usage['prompt_tokens_details'];
  const cachedTokens = isRecord(details) ? asCount(details['cached_tokens']) : 0;
  return { promptTokens, completionTokens, totalTokens, cachedTokens };
}
