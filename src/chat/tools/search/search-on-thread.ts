import { ThreadHost } from '../../../threads/thread-host.ts';
import { ThreadUnavailableError } from '../../../threads/unavailable.ts';
import { workerFile } from '../../../threads/worker-file.ts';
import { ToolError } from '../tool-error.ts';
import type { FileSearch } from './search-files.ts';

const DEADLINE_MS = 20_000;

/**
 * What `searchFiles` finds, on a thread of its own: a pattern may take years on one line, and only a thread can be
 * stopped then.
 * @throws ToolError if that takes over 20 s, or the thread is lost; the signal's reason if it is aborted.
 */
export async function searchOnThread(
  search: FileSearch,
  signal: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const host = new ThreadHost<FileSearch, readonly string[]>({ workerFile: workerFile('search') });
  const stop = (): void => void host.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await host.run(() => search, { deadlineMs });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ThreadUnavailableError)) throw error;
    if (error.reason !== 'hung') throw new ToolError(error.message);
    throw new ToolError(`Stopped after ${deadlineMs / 1_000} s. Use a simpler pattern, or a smaller folder.`);
  } finally {
    signal.removeEventListener('abort', stop);
    await host.close();
  }
}
