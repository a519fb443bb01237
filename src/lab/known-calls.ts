import type { IContent } from '../content/content.ts';
import { type PastCall, PastCalls } from '../economics/account/past-calls.ts';
import type { Session } from '../formats/contract.ts';
import { sentCalls } from '../sessions/prompts/sent-calls.ts';
import { playedEvents } from './played-events.ts';

interface Counts {
  readonly tokensOf: (entry: IContent) => number;
  /** System prompt and tools. */
  readonly constantTokens: number;
}

/** The model calls of a recorded session, which nothing pruned, for the decision before its next one. Linear. */
export function unprunedCalls(session: Session, { tokensOf, constantTokens }: Counts): readonly PastCall[] {
  const past = new PastCalls();
  let promptTokens = constantTokens;
  let lastMs: number | undefined;
  for (const { at, event, atMs } of playedEvents(session)) {
    if (event.kind === 'replace') {
      promptTokens = event.contents.reduce((sum, entry) => sum + tokensOf(entry), constantTokens);
      past.rebuilt();
      continue;
    }
    const { content } = event;
    const before = session.events[at - 1];
    const isContinued = before?.kind === 'add' && before.content.speaker === 'ai';
    if (content.speaker === 'ai' && !isContinued) {
      const idleMs = atMs === undefined || lastMs === undefined ? undefined : atMs - lastMs;
      past.sent({ promptTokens, idleMs });
      lastMs = atMs;
    }
    promptTokens += tokensOf(content);
  }
  return past.calls;
}

/** The model calls of a recorded session, with what pruning removed from them where it ran under `density wrap` or `density proxy`. Linear. */
export const knownCalls = (session: Session, counts: Counts): readonly PastCall[] =>
  (session.isAsSent ? sentCalls(session) : undefined) ?? unprunedCalls(session, counts);
