import { Worker } from 'node:worker_threads';
import type { Session } from '../formats/contract.ts';
import { fromErrorData } from '../offload/error-data.ts';
import type { SessionFigures, SessionReply, SessionRequest } from './session-protocol.ts';
import { EventAssembly } from './session-slices.ts';

/** The thread went away before it answered: what was asked can be done without it. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}

/** A session as the thread read it. */
export interface ThreadedSession {
  readonly session: Session;
  readonly readMs: number;
}

/** A thread that reads and counts sessions, so that the calling thread is never held up. One question at a time. */
export class SessionThread {
  readonly #worker: Worker;
  #isLost = false;

  /** Starts the thread; `workerFile` is built JavaScript. */
  constructor(workerFile: URL = new URL('../../workers/session.js', import.meta.url)) {
    this.#worker = new Worker(workerFile, { execArgv: [] });
    // Between questions nobody listens, and an unheard error would end the process.
    this.#worker.on('error', () => {});
    this.#worker.once('exit', () => {
      this.#isLost = true;
    });
    this.#worker.unref();
  }

  /**
   * Reads the session at `path`. It comes in slices, with a turn of the event loop between two.
   * @throws CompressionStrategyError as `readSession` does; ThreadLostError when there is no thread any more.
   */
  async open(
    path: string,
    { format, onProgress }: { format?: string | undefined; onProgress?: (doneBytes: number) => void } = {},
  ): Promise<ThreadedSession> {
    const assembly = new EventAssembly();
    let head: Omit<Session, 'events'> = { format: '', skipped: [] };
    let readMs = 0;
    await this.#ask({ kind: 'open', path, ...(format !== undefined && { format }) }, (reply) => {
      if (reply.kind === 'progress') onProgress?.(reply.doneBytes);
      if (reply.kind === 'events') assembly.take(reply.events);
      if (reply.kind === 'head') ({ head, readMs } = reply);
    });
    return { session: { ...head, events: assembly.events }, readMs };
  }

  /** What the session at `path` takes. @throws as `open` does. */
  async figures(path: string): Promise<SessionFigures> {
    let figures: SessionFigures | undefined;
    await this.#ask({ kind: 'figures', path }, (reply) => {
      if (reply.kind === 'figures') figures = reply.figures;
    });
    if (figures === undefined) throw new ThreadLostError('it ended without an answer');
    return figures;
  }

  /** Ends the thread, busy or not. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(request: SessionRequest, take: (reply: SessionReply) => void): Promise<void> {
    const worker = this.#worker;
    if (this.#isLost) return Promise.reject(new ThreadLostError('it ended before it was asked'));
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        worker.off('message', onMessage).off('error', onLoss).off('exit', onLoss).unref();
        end();
      };
      const onLoss = (cause: unknown): void => settle(() => reject(new ThreadLostError('it ended', { cause })));
      const onMessage = (reply: SessionReply): void => {
        take(reply);
        if (reply.kind === 'end') settle(resolve);
        else if (reply.kind === 'failed') settle(() => reject(fromErrorData(reply.error)));
        else if (reply.kind !== 'progress') setImmediate(() => worker.postMessage({ kind: 'next' }));
      };
      worker.on('message', onMessage).on('error', onLoss).on('exit', onLoss).ref();
      worker.postMessage(request);
    });
  }
}
