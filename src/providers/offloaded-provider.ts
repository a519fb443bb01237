import type { IProvider, SummaryOutcome, SummaryRequest } from '../strategies/contract.ts';
import type { ModelProvider } from './model-provider.ts';

/** As this process had it when it was loaded: whoever puts another in its place wants to see every request. */
const ownFetch = globalThis.fetch;
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Whether requests of this process go out as Node sends them: a proxy or a stand-in of the caller's is not on a thread. */
function isNetworkUntouched(): boolean {
  const dispatcher: unknown = Reflect.get(globalThis, DISPATCHER);
  const isOrdinary = dispatcher === undefined || dispatcher?.constructor?.name === 'Agent';
  return globalThis.fetch === ownFetch && isOrdinary;
}

/**
 * Asks a model on a thread: a vendor's client takes 100 ms to load, and holds whoever runs it for 10 ms and more at each
 * answer. On this thread where requests are to be seen here, or no thread can ask. Source: bench/summaries.
 */
export class OffloadedProvider implements IProvider {
  readonly #provider: ModelProvider;

  constructor(provider: ModelProvider) {
    this.#provider = provider;
  }

  get name(): string {
    return this.#provider.name;
  }

  async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    const outcome = isNetworkUntouched() ? await this.#askThread(request) : undefined;
    return outcome ?? this.#provider.summarize(request);
  }

  async #askThread(request: SummaryRequest): Promise<SummaryOutcome | undefined> {
    const { clientThread } = await import('./client-thread.ts');
    return clientThread.ask(this.#provider.setup, request);
  }
}
