import { availableParallelism } from 'node:os';
import { addTo } from '../../content/group-by.ts';
import { addressOf, databaseAt } from '../../disk/opencode-database/database-session.ts';
import { isTooLargeToCopy } from '../../disk/opencode-database/live-database.ts';
import { type PrivateCopy, privateCopy } from '../../disk/opencode-database/private-copy.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import type { OptimizeConfig } from '../prunable.ts';
import type { SessionFigures } from '../session-inspection.ts';
import { SessionThread } from '../threads/session-thread.ts';
import { glimpse, type SessionGlimpse } from './session-glimpse.ts';
import type { FoundSession } from './session-places.ts';

/** A session of this computer: its glimpse, and the figures from a thread that read all of it. */
export interface ListedSession extends FoundSession, SessionGlimpse {
  readonly figures?: SessionFigures;
}

const MAX_THREADS = 4;

/** The session with its glimpse, not yet counted. */
export const listed = (found: FoundSession): ListedSession => ({
  ...found,
  ...glimpse(found),
});

/** Sessions of one file, which one thread reads: a database is copied once, and opened by one thread at a time. */
interface Group {
  readonly file: string;
  readonly isDatabase: boolean;
  readonly members: readonly (readonly [index: number, session: ListedSession])[];
}

function groupsOf(sessions: readonly ListedSession[]): Group[] {
  const groups = new Map<string, (readonly [number, ListedSession])[]>();
  for (const [index, session] of sessions.entries())
    if (session.problem === undefined) addTo(groups, databaseAt(session.path)?.file ?? session.path, [index, session]);
  return [...groups].map(([file, members]) => ({ file, members, isDatabase: members[0]?.[1].told !== undefined }));
}

interface Exactly {
  readonly thread: SessionThread;
  readonly optimize: OptimizeConfig;
  readonly copy: PrivateCopy | undefined;
}

interface Counting {
  readonly optimize: OptimizeConfig;
  readonly onCounted: (index: number, session: ListedSession) => void;
}

async function exact(session: ListedSession, { thread, optimize, copy }: Exactly): Promise<ListedSession> {
  const id = databaseAt(session.path)?.id;
  try {
    const figures = await thread.figures(copy && id !== undefined ? addressOf(copy.path, id) : session.path, optimize);
    const { workspaceRoot: project } = figures;
    return { ...session, ...(project !== undefined && { project }), figures };
  } catch (error) {
    if (error instanceof CompressionStrategyError) return { ...session, problem: error.message };
    if (error instanceof ThreadUnavailableError) return { ...session, problem: 'the thread that read it was lost' };
    throw error;
  }
}

/**
 * Reads the sessions on threads and passes each on with exact figures once they are known, in no order. A session that
 * makes its thread fail keeps its estimate.
 */
export async function countSessions(
  sessions: readonly ListedSession[],
  { optimize, onCounted }: Counting,
): Promise<void> {
  const waiting = groupsOf(sessions);
  const work = async (): Promise<void> => {
    const thread = new SessionThread();
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      let copy: PrivateCopy | undefined;
      try {
        if (group.isDatabase && !isTooLargeToCopy(group.file)) copy = privateCopy(group.file);
        for (const [index, session] of group.members)
          onCounted(index, await exact(session, { thread, optimize, copy }));
      } catch (error) {
        if (!(error instanceof CompressionStrategyError)) throw error;
        for (const [index, session] of group.members) onCounted(index, { ...session, problem: error.message });
      } finally {
        copy?.remove();
      }
    }
    await thread.close();
  };
  const threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1), waiting.length);
  await Promise.all(Array.from({ length: threads }, work));
}
