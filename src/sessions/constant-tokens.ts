import type { IContent } from '../content/content.ts';
import type { Session } from '../formats/contract.ts';
import { blockCounter, type CountBlock, entryCounter } from '../tokens/entries/block-counter.ts';
import { isPossiblePrompt } from '../tokens/possible-prompt.ts';

/** Tokens of system prompt and tools if nothing is recorded. Source: first calls of 500 recorded Claude Code sessions, about 20,000. */
const DEFAULT_CONSTANT_TOKENS = 20_000;
/** More than this is earlier text that the recording does not contain. Source: at most 58,000 in 178 recorded sessions. */
const MAX_CONSTANT_TOKENS = 80_000;

/**
 * Tokens that every model call has beside the history: system prompt and tools. They are what the first reported prompt
 * has beyond the recorded history; of several starts the least, because the agent rebuilt its history between them.
 * `undefined` without a report that can be, or if the recording starts in the middle and has no rebuild. Counts only what precedes the
 * first report after each start.
 */
export function reportedConstantTokens({ events }: Session, tokensOf: (entry: IContent) => number): number | undefined {
  if (!events.some((event) => event.kind === 'add' && reportedTokens(event.content) > 0)) return undefined;
  const beyond: number[] = [];
  let before = 0;
  let isStart = true;
  for (const event of events) {
    if (event.kind === 'replace') {
      before = event.contents.reduce((sum, entry) => sum + tokensOf(entry), 0);
      isStart = true;
      continue;
    }
    if (!isStart) continue;
    const reported = reportedTokens(event.content);
    if (reported > 0 && isPossiblePrompt(reported, before)) {
      beyond.push(reported - before);
      isStart = false;
    } else before += tokensOf(event.content);
  }
  const least = beyond.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return least <= MAX_CONSTANT_TOKENS ? Math.max(0, least) : undefined;
}

const reportedTokens = ({ metadata }: IContent): number => metadata?.usage?.promptTokens ?? 0;

/** Tokens that every model call has beside the history. Without a report: the recorded text of the system prompt. */
export function constantTokensOf(
  session: Session,
  { tokensOf, countBlock }: { readonly tokensOf: (entry: IContent) => number; readonly countBlock: CountBlock },
): number {
  const reported = reportedConstantTokens(session, tokensOf);
  if (reported !== undefined) return reported;
  const { systemText } = session;
  return systemText === undefined ? DEFAULT_CONSTANT_TOKENS : countBlock({ type: 'text', text: systemText });
}

/** `constantTokensOf`, counted as this model does. */
export function countedConstantTokens(session: Session, model: string): number {
  const countBlock = blockCounter(model);
  return constantTokensOf(session, { tokensOf: entryCounter(model, countBlock), countBlock });
}
