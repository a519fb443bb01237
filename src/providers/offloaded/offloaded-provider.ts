import type { IProvider } from '../../strategies/contract.ts';
import type { ChatModel } from '../chat-model.ts';
import type { ModelProvider } from '../model-provider.ts';
import type { ClientThread } from './client-thread.ts';

/** The original `fetch`: a program that replaces it wants to see every request on this thread. */
const ownFetch = globalThis.fetch;
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** True if the network of this process is Node's own: a proxy or a replaced `fetch` does not exist on a thread. */
function isNetworkUntouched(): boolean {
  const dispatcher: unknown = Reflect.get(globalThis, DISPATCHER);
  const isOrdinary = dispatcher === undefined || dispatcher?.constructor?.name === 'Agent';
  return globalThis.fetch === ownFetch && isOrdinary;
}

/** The thread for requests; `undefined` if this thread must send them. */
async function thread(): Promise<ClientThread | undefined> {
  if (!isNetworkUntouched()) return undefined;
  const { clientThread } = await import('./client-thread.ts');
  return clientThread;
}

/**
 * Sends requests on a thread, because a vendor's client takes 100 ms to load and blocks its thread for 10 ms and more per
 * answer; on this thread if the network was replaced or the thread fails. Source: bench/terminal.
 */
export const offloadedProvider = (provider: ModelProvider): IProvider & ChatModel => ({
  name: provider.name,
  model: provider.model,
  async summarize(request) {
    const outcome = await (await thread())?.summarize(provider.setup, request);
    return outcome ?? provider.summarize(request);
  },
  async answer(request) {
    const outcome = await (await thread())?.answer(provider.setup, request);
    return outcome ?? provider.answer(request);
  },
});
