import { foundSessions } from '../../../sessions/places/session-places.ts';
import { sessionPath } from '../../options/session-path.ts';
import { canPick } from '../../picker/picked-session.ts';
import { chosenLine, firstOriginal, newestSessions } from '../../picker/session-by-id.ts';
import { UsageError } from '../../terminal/failure.ts';
import { terminal } from '../../terminal/terminal.ts';
import { isResumable, RESUMING_AGENTS } from './resumable.ts';

/**
 * The path of the session to resume: the named one, else the newest of this folder, else one that the user picks.
 * @throws as `sessionPath`; UsageError if this folder has none and no user can be asked.
 */
export async function resumedSession(named: string | undefined, isPicked: boolean): Promise<string> {
  if (named !== undefined) return sessionPath(named);
  const { sessions, ofThisFolder } = newestSessions();
  const newest = firstOriginal(sessions.slice(0, ofThisFolder), isResumable);
  if (newest !== undefined && !isPicked) {
    await terminal().notes.print(chosenLine(newest, true));
    return newest.path;
  }
  if (!canPick()) {
    throw new UsageError(
      `Expected the id of a session, because none of ${RESUMING_AGENTS.join(', ')} was started in this folder. \`density sessions\` lists the ids.`,
    );
  }
  const resumable = new Set(
    foundSessions()
      .filter(isResumable)
      .map(({ path: file }) => file),
  );
  return sessionPath(undefined, (file) => resumable.has(file));
}
