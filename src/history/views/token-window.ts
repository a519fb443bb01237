import { pairSafeIndex } from '../../content/calls/boundary.ts';
import type { IContent } from '../../content/content.ts';

/** The newest entries whose counts together are at most `maxTokens`, in order; it starts later rather than split a pair. */
export function newestWithin(
  history: readonly IContent[],
  maxTokens: number,
  countTokens: (content: IContent) => number,
): IContent[] {
  let start = history.length;
  for (let tokens = 0; start > 0; start--) {
    tokens += countTokens(history[start - 1]!);
    if (tokens > maxTokens) break;
  }
  return history.slice(pairSafeIndex(history, start, { direction: 'later' }));
}
