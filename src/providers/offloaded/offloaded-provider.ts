import type { IProvider, SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';
import type { AnswerOutcome, AnswerRequest, ChatModel } from '../chat-model.ts';
import type { ModelProvider } from '../model-provider.ts';
import type { ClientThread } from './client-thread.ts';

/** As this process had it when it was loaded: whoever puts another in its place wants to see every request. */
const ownFetch = globalThis.fetch;
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Whether requests of this process go out as Node sends them: a proxy or a stand-in of the caller's is not on a thread. */
function isNetworkUntouched(): boolean {
  const dispatcher: unknown = Reflect.get(globalThis, DISPATCHER);
  const isOrdinary = dispatcher === undefined || dispatcher?.constructor?.name === 'Agent';
  return globalThis.fetch === ownFetch && isOrdinary;
}

/** The thread that may ask; undefined where requests are to be seen on this one. */
async function thread(): Promise<ClientThread | undefined> {
  if (!isNetworkUntouched()) return undefined;
  const { clientThread } = await import('./client-thread.ts');
  return clientThread;
}

/**
 * Asks a model on a thread: a vendor's client takes 100 ms to load, and holds whoever runs it for 10 ms and more at each
 * answer. On this thread where requests are to be seen here, or no thread can ask. Source: bench/summaries, bench/terminal.
 */
export class OffloadedProvider implements IProvider, ChatModel {
  readonly #provider: ModelProvider;

  constructor(provider: ModelProvider) {
    this.#provider = provider;
  }

  get name(): string {
    return this.#provider.name;
  }

  get model(): string {
    return this.#provider.model;
  }

  async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    const outcome = await (await thread())?.summarize(this.#provider.setup, request);
    return outcome ?? this.#provider.summarize(request);
  }

  async answer(request: AnswerRequest): Promise<AnswerOutcome> {
    const outcome = await (await thread())?.answer(this.#provider.setup, request);
    return outcome ?? this.#provider.answer(request);
  }
}
