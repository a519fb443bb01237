import type { IContent } from '../content/content.ts';
import { liveHistory, type Session } from '../formats/contract.ts';
import { isCountedBySize } from '../tokens/entries/entry.ts';
import { isPossiblePrompt } from '../tokens/possible-prompt.ts';
import { reportedConstantTokens } from './constant-tokens.ts';
import { areResultsShortened } from './prompts/shortened-results.ts';

/** How large the context of a session is at its end. */
export interface ContextSize {
  /**
   * The provider's count of the last call and its answer, and our count of what was added since; our count alone, with a
   * recorded system prompt, if nothing is reported. If text before that call was removed since, it is the provider's count less our count of that text.
   */
  readonly tokens: number;
  /** The part of these tokens that no recorded text has: system prompt, tool definitions, what an agent sends without recording it, and the error of our count. */
  readonly unrecordedTokens: number;
  /** True if a provider counted a call since the context was last rebuilt, or made smaller. */
  readonly isReported: boolean;
  /** True where the tokens are neither that nor our count of recorded text alone: less what was removed, with a system prompt and tools beside it, or with a picture or encrypted text, which count by their size. */
  readonly isDerived?: true;
  /** True if results were sent in shorter forms than they have here, as by a proxy on another computer; absent: nothing shows that. */
  readonly isShortened?: true;
  /** True if the provider's count of the last call cannot be, and is not used. */
  readonly isContradicted?: true;
}

/**
 * The size of the context of `session`, whose entries `tokensOf` counts. Right after a rebuilt context nothing is reported:
 * then it has what first calls had beyond their recorded text. `counted`: its live entries, where they are counted already.
 */
export function contextSize(
  session: Session,
  tokensOf: (entry: IContent) => number,
  counted: number = sumOf(liveHistory(session), tokensOf),
): ContextSize {
  const { events } = session;
  const rebuilt = events.findLastIndex(({ kind }) => kind === 'replace');
  const last = events.findLastIndex(
    (event, at) =>
      at > rebuilt &&
      event.kind === 'add' &&
      event.content.speaker === 'ai' &&
      (event.content.metadata?.usage?.promptTokens ?? 0) > 0,
  );
  const call = events[last];
  const usage = call?.kind === 'add' ? call.content.metadata?.usage : undefined;
  const since = events.slice(last).flatMap((event) => (event.kind === 'add' ? event.content : []));
  const isContradicted = usage !== undefined && !isPossiblePrompt(usage.promptTokens, counted - sumOf(since, tokensOf));
  if (usage === undefined || isContradicted) {
    const { systemText: text } = session;
    const recorded = text === undefined ? 0 : tokensOf({ speaker: 'human', blocks: [{ type: 'text', text }] });
    const more = reportedConstantTokens(session, tokensOf) ?? recorded;
    const isDerived = more > 0 || liveHistory(session).some(({ blocks }) => blocks.some(isCountedBySize));
    return {
      tokens: counted + more,
      unrecordedTokens: more,
      isReported: false,
      ...derived(isDerived),
      ...(isContradicted && { isContradicted }),
    };
  }
  const tokens = usage.promptTokens + usage.completionTokens + sumOf(since.slice(1), tokensOf);
  const isReported = usage.reported === undefined;
  const shortened = areResultsShortened(session, tokensOf) && { isShortened: true as const };
  const unrecordedTokens = Math.max(0, tokens - counted);
  return { tokens, unrecordedTokens, isReported, ...derived(!isReported), ...shortened };
}

const derived = (isDerived: boolean) => isDerived && { isDerived };

const sumOf = (entries: readonly IContent[], tokensOf: (entry: IContent) => number): number =>
  entries.reduce((sum, entry) => sum + tokensOf(entry), 0);
