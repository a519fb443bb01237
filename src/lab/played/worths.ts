import type { EngineName } from '../../history/engine.ts';
import { ThreadHost } from '../../threads/thread-host.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { workerFile } from '../../threads/worker-file.ts';
import { type SessionWorth, sessionWorth, type WorthQuestion } from './session-worth.ts';

/** Answers `sessionWorth` for plays with this engine; for an offloaded one on a thread, which starts with the first question. */
export class Worths {
  readonly #host: ThreadHost<WorthQuestion, SessionWorth> | undefined;

  constructor(engine: EngineName) {
    this.#host = engine === 'offloaded' ? new ThreadHost({ workerFile: workerFile('worth') }) : undefined;
  }

  /** Computed here if no thread can be had. */
  readonly of = async (question: WorthQuestion): Promise<SessionWorth> => {
    try {
      return (await this.#host?.run(() => question)) ?? sessionWorth(question);
    } catch (error) {
      if (error instanceof ThreadUnavailableError) return sessionWorth(question);
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.#host?.close();
  }
}
