import type { IContent } from '../content/content.ts';
import type { Session } from '../formats/contract.ts';
import { reportedConstantTokens } from './constant-tokens.ts';

/** How large the context of a session is at its end. */
export interface ContextSize {
  /** The provider's count of the last call and its answer, and our count of what was added since; our count alone if nothing is reported. */
  readonly tokens: number;
  /** Of these, tokens that no recorded text has: system prompt, tool definitions, what an agent sends without recording it, and the error of our count. */
  readonly unrecordedTokens: number;
  /** True if a provider counted a call since the agent last rebuilt its context. */
  readonly isReported: boolean;
}

/**
 * The size of the context of `session`, whose entries `tokensOf` counts. Right after a rebuilt context nothing is reported:
 * then it has what first calls had beyond their recorded text. Counts the live entries, and in that case those before first calls.
 */
export function contextSize(session: Session, tokensOf: (entry: IContent) => number): ContextSize {
  const rebuilt = session.events.findLastIndex(({ kind }) => kind === 'replace');
  let counted = 0;
  let beyond: number | undefined;
  for (const event of session.events.slice(Math.max(0, rebuilt))) {
    if (event.kind === 'replace') {
      counted = event.contents.reduce((sum, entry) => sum + tokensOf(entry), 0);
      continue;
    }
    const { content } = event;
    counted += tokensOf(content);
    const { usage } = content.metadata ?? {};
    if (content.speaker === 'ai' && usage !== undefined && usage.promptTokens > 0)
      beyond = usage.promptTokens + usage.completionTokens - counted;
  }
  const more = beyond ?? reportedConstantTokens(session, tokensOf) ?? 0;
  return { tokens: counted + more, unrecordedTokens: Math.max(0, more), isReported: beyond !== undefined };
}
