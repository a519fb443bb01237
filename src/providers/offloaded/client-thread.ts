import { Worker } from 'node:worker_threads';
import { packageFile } from '../../package-file.ts';
import type { SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';
import type { AnswerOutcome, AnswerPart, AnswerRequest, ToolSpecification } from '../chat-model.ts';
import type { ClientEnd, ClientQuestion, ClientReply, ClientRequest, ModelSetup } from './client-protocol.ts';

interface Waiting {
  readonly onPart: (part: AnswerPart) => void;
  readonly onEnd: (outcome: ClientEnd['outcome']) => void;
}

interface Asking {
  readonly signal: AbortSignal | undefined;
  readonly onPart?: (part: AnswerPart) => void;
}

/** The tools of a program can do more than a model is told, and what they do cannot cross. */
const specification = ({ name, description, parameters }: ToolSpecification): ToolSpecification => ({
  name,
  description,
  parameters,
});

/**
 * A thread that asks models; the process may end while it has nothing to do. One that is lost is followed by another,
 * unless it was lost before its first answer: then its file does not load.
 */
export class ClientThread {
  readonly #file: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #canLoad = true;

  constructor(file: URL) {
    this.#file = file;
  }

  /**
   * What the model writes; undefined when the thread cannot ask it or is lost.
   * @throws the signal's reason, at once, when it is aborted.
   */
  async summarize(setup: ModelSetup, { signal, ...request }: SummaryRequest): Promise<SummaryOutcome | undefined> {
    const outcome = await this.#ask(setup, { kind: 'summarize', request }, { signal });
    return outcome?.kind === 'answer' ? undefined : outcome;
  }

  /**
   * What the model answers, its parts as they come; undefined when the thread cannot ask it or is lost before a part came.
   * @throws the signal's reason, at once, when it is aborted.
   */
  async answer(
    setup: ModelSetup,
    { signal, onPart, tools, ...request }: AnswerRequest,
  ): Promise<AnswerOutcome | undefined> {
    let hasBegun = false;
    const outcome = await this.#ask(
      setup,
      { kind: 'answer', request: { ...request, tools: tools.map(specification) } },
      {
        signal,
        onPart: (part) => {
          hasBegun = true;
          onPart(part);
        },
      },
    );
    if (outcome === undefined && hasBegun) {
      return {
        kind: 'failed',
        failure: 'transient',
        message: `${setup.vendor}: the thread that heard the answer was lost`,
      };
    }
    return outcome?.kind === 'summary' ? undefined : outcome;
  }

  async #ask(
    setup: ModelSetup,
    question: ClientQuestion,
    { signal, onPart = () => {} }: Asking,
  ): Promise<ClientEnd['outcome']> {
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
        this.#waiting.set(id, { onPart, onEnd: resolve });
        worker.ref();
        send({ ...question, id, setup });
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
      for (const { onEnd } of this.#waiting.values()) onEnd(undefined);
    };
    worker.on('message', (reply: ClientReply) => {
      hasAnswered = true;
      const waiting = this.#waiting.get(reply.id);
      if ('part' in reply) waiting?.onPart(reply.part);
      else waiting?.onEnd(reply.outcome);
    });
    worker.on('error', lose);
    worker.on('exit', lose);
    this.#worker = worker;
    return worker;
  }
}

/** The thread that all providers of this process share. */
export const clientThread = new ClientThread(packageFile('dist/workers/client.js'));
