import { parentPort } from 'node:worker_threads';
import { modelProviderOf } from '../src/providers/index.ts';
import type { ClientCall, ClientReply, ClientRequest } from '../src/providers/offloaded/client-protocol.ts';

const running = new Map<number, AbortController>();
const tell = (reply: ClientReply): void => parentPort?.postMessage(reply);

function outcomeOf(call: ClientCall, signal: AbortSignal) {
  const provider = modelProviderOf(call.setup);
  if (call.kind === 'summarize') return provider.summarize({ ...call.request, signal });
  return provider.answer({ ...call.request, signal, onPart: (part) => tell({ id: call.id, part }) });
}

/** One last reply for each call, in the order of the answers; parts of an answer go ahead of it. */
parentPort?.on('message', async (message: ClientRequest) => {
  const { id } = message;
  if (message.kind === 'abort') {
    running.get(id)?.abort();
    return;
  }
  const controller = new AbortController();
  running.set(id, controller);
  try {
    tell({ id, outcome: await outcomeOf(message, controller.signal) });
  } catch {
    // Aborted, or no client can be loaded: whoever asked says what it is.
    tell({ id });
  } finally {
    running.delete(id);
  }
});
