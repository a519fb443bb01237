import { liveHistory } from '../formats/contract.ts';
import { inspectHistory } from './inspection.ts';
import type { ReadSession } from './read-session.ts';
import type { SessionFigures } from './threads/session-protocol.ts';

/** The tokens of a session and how many of them are stale, counted as its own model does. */
export function sessionFigures({ session, format }: ReadSession): SessionFigures {
  const { workspaceRoot, model } = session;
  const { entries, tokens, staleReads, repeatedInclusions } = inspectHistory(liveHistory(session), {
    vocabulary: format.vocabulary,
    workspaceRoot: workspaceRoot ?? '/',
    model: model ?? 'unknown',
  });
  return {
    format: format.name,
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(model !== undefined && { model }),
    entries,
    tokens,
    staleTokens: staleReads.tokens + repeatedInclusions.tokens,
  };
}
