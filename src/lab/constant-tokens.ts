import type { IContent } from '../content/content.ts';
import type { Session } from '../formats/contract.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';

/** Tokens of system prompt and tools if nothing is recorded. Source: first calls of 500 recorded Claude Code sessions, about 20,000. */
const USUAL_CONSTANT_TOKENS = 20_000;
/** More than this is earlier text that the recording does not contain. Source: at most 58,000 in 178 recorded sessions. */
const MOST_CONSTANT_TOKENS = 80_000;

/**
 * Tokens that every model call has beside the history: system prompt and tools. They are what the first reported prompt
 * has beyond the recorded history; of several starts the least, because the agent rebuilt its history between them. A
 * recording that starts in the middle says nothing before its first rebuild. Without a report: the recorded text.
 */
export function constantTokensOf(
  { events, systemText }: Session,
  { tokensOf, countBlock }: { readonly tokensOf: (entry: IContent) => number; readonly countBlock: CountBlock },
): number {
  const beyond: number[] = [];
  let before = 0;
  let isStart = true;
  for (const event of events) {
    if (event.kind === 'replace') {
      before = event.contents.reduce((sum, entry) => sum + tokensOf(entry), 0);
      isStart = true;
      continue;
    }
    const { usage } = event.content.metadata ?? {};
    if (isStart && usage !== undefined && usage.promptTokens > 0) {
      beyond.push(usage.promptTokens - before);
      isStart = false;
    }
    before += tokensOf(event.content);
  }
  const least = Math.min(...beyond);
  if (least <= MOST_CONSTANT_TOKENS) return Math.max(0, least);
  return systemText === undefined ? USUAL_CONSTANT_TOKENS : countBlock({ type: 'text', text: systemText });
}
