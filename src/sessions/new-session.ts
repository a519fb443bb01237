import { liveHistory, type NewSession, type Session } from '../formats/contract.ts';
import type { FallbackFacts } from './threads/session-protocol.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The facts of a new session file: those of `session`, and `fallback` for an id that not every agent accepts or a missing start. */
export function newSessionFacts(session: Session, fallback: FallbackFacts): NewSession {
  const { id, model, workspaceRoot, systemText } = session;
  const first = liveHistory(session).find(({ metadata }) => metadata?.timestamp !== undefined);
  return {
    id: id !== undefined && UUID.test(id) ? id : fallback.id,
    ...(model !== undefined && { model }),
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(systemText !== undefined && { systemText }),
    startedAt: first?.metadata?.timestamp ?? fallback.startedAt,
  };
}
