import { fileBytes } from '../../disk/file-bytes.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { sessionsOfProject } from '../places/session-ids.ts';
import { type FoundSession, foundSessions } from '../places/session-places.ts';
import { readSession } from '../read-session.ts';
import { sentKeys } from './conversation-files.ts';

/** More would take longer than a person waits. */
const MAX_READ = 30;

function isShorter({ path }: FoundSession): boolean {
  try {
    return readSession(fileBytes(path)).session.isAsSent === true;
  } catch (error) {
    if (!(error instanceof CompressionStrategyError)) throw error;
    return false;
  }
}

/**
 * The sessions of the project that contains `folder`, the last changed first, if some of their text was sent in another form under `density wrap` or `density proxy`. Their agent alone would
 * send the text that they contain. The newest 30 that changed since `sinceMs` are read.
 */
export function shorterSessions(folder: string, sinceMs = 0): readonly FoundSession[] {
  const sentKey = sentKeys();
  return sessionsOfProject(folder, foundSessions())
    .own.filter(({ path, changedAt }) => changedAt >= sinceMs && sentKey(path) !== undefined)
    .slice(0, MAX_READ)
    .filter(isShorter);
}
