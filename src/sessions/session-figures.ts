import type { OptimizeConfig } from './prunable.ts';
import type { ReadSession } from './read-session.ts';
import { inspectSession } from './session-inspection.ts';
import type { SessionFigures } from './threads/session-protocol.ts';

/** The tokens of a session, and how many of them `optimize` would remove, counted as its own model does. */
export function sessionFigures({ session, format }: ReadSession, optimize: OptimizeConfig): SessionFigures {
  const { workspaceRoot, model } = session;
  const { entries, tokens, context, removableTokens } = inspectSession(session, {
    vocabulary: format.vocabulary,
    workspaceRoot: workspaceRoot ?? '/',
    model: model ?? 'unknown',
    optimize,
  });
  return {
    format: format.name,
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(model !== undefined && { model }),
    entries,
    tokens,
    contextTokens: context.tokens,
    removableTokens: Math.max(0, removableTokens),
  };
}
