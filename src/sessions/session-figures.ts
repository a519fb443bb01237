import type { ReadSession } from './read-session.ts';
import { inspectSession } from './session-inspection.ts';
import type { SessionFigures } from './threads/session-protocol.ts';

/** The tokens of a session, and how many of them are stale, counted as its own model does. */
export function sessionFigures({ session, format }: ReadSession): SessionFigures {
  const { workspaceRoot, model } = session;
  const { entries, tokens, context, staleReads, repeatedInclusions } = inspectSession(session, {
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
    contextTokens: context.tokens,
    staleTokens: staleReads.tokens + repeatedInclusions.tokens,
  };
}
