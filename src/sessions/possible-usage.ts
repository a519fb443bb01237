import type { IContent } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';
import { isCopied, type Session } from '../formats/contract.ts';
import { isPossiblePrompt } from '../tokens/possible-prompt.ts';

/** A call that reports a prompt which its text cannot have. */
export interface ContradictedCall {
  /** Its number among the model calls of its session; counts from 1. */
  readonly call: number;
  readonly reportedTokens: number;
  /** Our count of the recorded text before it. */
  readonly countedTokens: number;
}

/** A contradicted call and what it is listed by. */
export interface ContradictedAnswer extends ContradictedCall {
  readonly model: string;
  readonly atMs: number | undefined;
}

interface PossibleUsage {
  /** The session without the usage of `contradicted`; the same object if there is none. */
  readonly session: Session;
  /** Without those of another session, which are listed there. */
  readonly contradicted: readonly ContradictedAnswer[];
}

/** A session without usage that cannot be. Linear in entries, and in those of each rebuilt context. */
export function withPossibleUsage(session: Session, tokensOf: (entry: IContent) => number): PossibleUsage {
  const contradicted: ContradictedAnswer[] = [];
  const without = new Map<IContent, IContent>();
  let tokens = 0;
  let call = 0;
  let atMs = undefined as number | undefined;
  for (const [at, event] of session.events.entries()) {
    if (event.kind === 'replace') {
      tokens = event.contents.reduce((sum, entry) => sum + tokensOf(entry), 0);
      continue;
    }
    const { content } = event;
    const { speaker, metadata } = content;
    if (speaker === 'ai') call++;
    const reportedTokens = speaker === 'ai' ? (metadata?.usage?.promptTokens ?? 0) : 0;
    if (reportedTokens > 0 && !isPossiblePrompt(reportedTokens, tokens)) {
      const model = metadata?.model ?? session.model ?? 'unknown';
      const facts = { call, reportedTokens, countedTokens: tokens, model, atMs: atMs ?? metadata?.timestamp };
      if (!isCopied(session, at)) contradicted.push(facts);
      without.set(content, withoutUsage(content));
    }
    atMs = metadata?.timestamp ?? atMs;
    // What the provider says of this answer is no better than what it says of its prompt.
    tokens += tokensOf(without.get(content) ?? content);
  }
  if (without.size === 0) return { session, contradicted };
  const possible = (entry: IContent): IContent => without.get(entry) ?? entry;
  const events = session.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { ...event, content: possible(event.content) }
        : { ...event, contents: event.contents.map(possible) },
  );
  return { session: { ...session, events }, contradicted };
}

function withoutUsage({ metadata, ...entry }: IContent): IContent {
  const { usage: _, ...rest } = metadata ?? {};
  return { ...entry, metadata: rest };
}
