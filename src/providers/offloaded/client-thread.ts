import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { raced } from '../../deadline.ts';
import type { SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';
import { ThreadHost } from '../../threads/thread-host.ts';
import { workerFile } from '../../threads/worker-file.ts';
import type { AnswerOutcome, AnswerRequest, ToolSpecification } from '../chat-model.ts';
import type { ClientOutcome, ClientQuestion, ClientRequest, ModelSetup } from './client-protocol.ts';

/** The description of a tool, without its functions, which cannot be sent to a thread. */
const specification = ({ name, description, parameters }: ToolSpecification): ToolSpecification => ({
  name,
  description,
  parameters,
});

/** A thread that sends concurrent requests to models; it does not keep the process running while it is idle. */
export class ClientThread {
  readonly #host: ThreadHost<ClientRequest, ClientOutcome>;

  constructor(file: URL) {
    this.#host = new ThreadHost({ workerFile: file, concurrency: Number.POSITIVE_INFINITY });
  }

  /**
   * The summary of the model; `undefined` if the thread cannot send the request or is lost.
   * @throws the signal's reason, at once, if it is aborted.
   */
  async summarize(setup: ModelSetup, { signal, ...request }: SummaryRequest): Promise<SummaryOutcome | undefined> {
    const outcome = await this.#ask(setup, { kind: 'summarize', request }, { signal });
    return outcome?.kind === 'answer' ? undefined : outcome;
  }

  /**
   * The answer of the model, with its parts as they arrive; `undefined` if the thread cannot send the request, or is lost
   * before the first part.
   * @throws the signal's reason, at once, if it is aborted.
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
        message: `${setup.vendor}: the thread that received the answer was lost`,
      };
    }
    return outcome?.kind === 'summary' ? undefined : outcome;
  }

  /** Ends the thread; waiting callers get no answer. */
  close(): Promise<void> {
    return this.#host.close();
  }

  async #ask(
    setup: ModelSetup,
    question: ClientQuestion,
    { signal, onPart = () => {} }: Partial<Pick<AnswerRequest, 'onPart'>> & { signal: AbortSignal | undefined },
  ): Promise<ClientOutcome | undefined> {
    signal?.throwIfAborted();
    const { port1: parts, port2: progress } = new MessageChannel();
    parts.on('message', onPart);
    const build = (): ClientRequest => {
      signal?.throwIfAborted();
      return { ...question, setup, progress };
    };
    // If this fails, for example because no client can be loaded, the caller uses this thread and reports failures there.
    const outcome = this.#host.run(build).catch(() => undefined);
    try {
      return await raced(outcome, signal);
    } finally {
      // The answer can arrive before its last parts, which use another port.
      for (let left = receiveMessageOnPort(parts); left && !signal?.aborted; left = receiveMessageOnPort(parts)) {
        onPart(left.message);
      }
      parts.close();
    }
  }
}

/** The thread of all providers of this process. */
export const clientThread = new ClientThread(workerFile('client'));
