import { Worker } from 'node:worker_threads';
import type { SummaryOutcome, SummaryRequest } from '../strategies/contract.ts';
import type { ClientReply, ClientRequest, ModelSetup } from './client-protocol.ts';

type Listener = (outcome: SummaryOutcome | undefined) => void;

/**
 * A thread that asks models; the process may end while it has nothing to do. One that is lost is followed by another,
 * unless it was lost before its first answer: then its file does not load.
 */
export class ClientThread {
  readonly #file: URL;
  readonly #waiting = new Map<number, Listener>();
  #worker: Worker | undefined;
  #lastId = 0;
  #canLoad = true;

  constructor(file: URL) {
    this.#file = file;
  }

  /**
   * What the model answers; undefined when the thread cannot ask it or is lost.
   * @throws the signal's reason, at once, when it is aborted.
   */
  async ask(setup: ModelSetup, { signal, ...request }: SummaryRequest): Promise<SummaryOutcome | undefined> {
    signal?.throwIfAborted();
    if (!this.#canLoad) return undefined;
    const id = ++this.#lastId;
    const worker = this.#running();
    const send = (message: ClientRequest): void => worker.postMessage(message);
    let onAbort = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        onAbort = () => {
          send({ kind: 'abort', id });
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        this.#waiting.set(id, resolve);
        worker.ref();
        send({ kind: 'call', id, setup, request });
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    }
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    // The loaders and inspectors of whoever runs this process are not for the thread.
    const worker = new Worker(this.#file, { execArgv: [] });
    let hasAnswered = false;
    const lose = (): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#canLoad = hasAnswered;
      for (const listener of this.#waiting.values()) listener(undefined);
    };
    worker.on('message', ({ id, outcome }: ClientReply) => {
      hasAnswered = true;
      this.#waiting.get(id)?.(outcome);
    });
    worker.on('error', lose);
    worker.on('exit', lose);
    this.#worker = worker;
    return worker;
  }
}

/** The thread that all providers of this process share. */
export const clientThread = new ClientThread(new URL('../../workers/client.js', import.meta.url));
