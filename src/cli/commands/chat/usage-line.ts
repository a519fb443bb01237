import type { CallUsage } from '../../../chat/session/chat-session.ts';
import { compact, compactTokens } from '../../../report/figures.ts';
import { cutEnd } from '../../terminal/text-width.ts';

/** `last call: 12.3k in (11.0k cached) + 210 out = 12.5k tokens; counted 12.4k`; '' if the provider reported nothing. */
export function usageLine(usage: CallUsage | undefined, columns: number): string {
  if (usage === undefined) return '';
  const { promptTokens, completionTokens, totalTokens, cachedTokens, countedTokens } = usage;
  const cached = cachedTokens === undefined ? '' : ` (${compact(cachedTokens)} cached)`;
  const line = `last call: ${compact(promptTokens)} in${cached} + ${compact(completionTokens)} out = ${compactTokens(totalTokens)}; counted ${compact(countedTokens)}`;
  return cutEnd(line, columns);
}
