import { availableParallelism } from 'node:os';
import { CompressionStrategyError } from '../../errors.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import type { SessionFigures } from '../threads/session-protocol.ts';
import { SessionThread } from '../threads/session-thread.ts';
import { glimpse, type SessionGlimpse } from './session-glimpse.ts';
import type { FoundSession } from './session-places.ts';

/** A session of this computer: its glimpse, and the figures from a thread that read all of it. */
export interface ListedSession extends FoundSession, SessionGlimpse {
  readonly figures?: SessionFigures;
}

const MOST_THREADS = 4;

/** The session with its glimpse, not yet counted. */
export const listed = (found: FoundSession): ListedSession => ({
  ...found,
  ...glimpse(found),
});

async function exact(session: ListedSession, thread: SessionThread): Promise<ListedSession> {
  try {
    const figures = await thread.figures(session.path);
    const { workspaceRoot: project } = figures;
    return { ...session, ...(project !== undefined && { project }), figures };
  } catch (error) {
    if (error instanceof CompressionStrategyError) return { ...session, problem: error.message };
    throw error;
  }
}

/**
 * Reads the sessions on threads and passes each on with exact figures once they are known, in no order. A session that
 * makes its thread fail keeps its estimate.
 */
export async function countSessions(
  sessions: readonly ListedSession[],
  onCounted: (index: number, session: ListedSession) => void,
): Promise<void> {
  const waiting = [...sessions.entries()].filter(([, { problem }]) => problem === undefined);
  const work = async (): Promise<void> => {
    const thread = new SessionThread();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, session] = next;
      try {
        onCounted(index, await exact(session, thread));
      } catch (error) {
        if (!(error instanceof ThreadUnavailableError)) throw error;
        onCounted(index, { ...session, problem: 'the thread that read it was lost' });
      }
    }
    await thread.close();
  };
  const threads = Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1), waiting.length);
  await Promise.all(Array.from({ length: threads }, work));
}
