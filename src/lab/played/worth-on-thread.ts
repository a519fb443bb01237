import { ThreadHost } from '../../threads/thread-host.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { workerFile } from '../../threads/worker-file.ts';
import { type SessionWorth, sessionWorth, type WorthQuestion } from './session-worth.ts';

/** `sessionWorth` on a thread of its own, and here if that cannot be had. */
export async function worthOnThread(question: WorthQuestion): Promise<SessionWorth> {
  const host = new ThreadHost<WorthQuestion, SessionWorth>({ workerFile: workerFile('worth') });
  try {
    return await host.run(() => question);
  } catch (error) {
    if (error instanceof ThreadUnavailableError) return sessionWorth(question);
    throw error;
  } finally {
    await host.close();
  }
}
