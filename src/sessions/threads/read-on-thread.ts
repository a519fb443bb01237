import { fileBytes } from '../../disk/file-bytes.ts';
import type { Session } from '../../formats/contract.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { readSession } from '../read-session.ts';
import { SessionThread } from './session-thread.ts';

export interface ReadOnThreadOptions {
  /** Called with 0-1 while the file is read. */
  readonly onProgress?: (share: number) => void;
}

/**
 * The session in a file of any agent, as it stands there. A thread reads it, and the event loop turns between the slices
 * in which it arrives. If no thread can start, the calling thread reads it.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` or `SESSION_FORMAT_UNKNOWN`, naming the file.
 */
export async function readSessionOnThread(file: string, { onProgress }: ReadOnThreadOptions = {}): Promise<Session> {
  const { sizeBytes } = fileBytes(file);
  const thread = new SessionThread();
  try {
    const { session } = await thread.open(file, { onProgress: (doneBytes) => onProgress?.(doneBytes / sizeBytes) });
    return session;
  } catch (error) {
    if (!(error instanceof ThreadUnavailableError)) throw error;
    return readSession(fileBytes(file)).recorded;
  } finally {
    await thread.close();
  }
}
