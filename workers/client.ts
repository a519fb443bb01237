import { parentPort } from 'node:worker_threads';
import type { ClientReply, ClientRequest } from '../src/providers/client-protocol.ts';
import { modelProviderOf } from '../src/providers/index.ts';

const running = new Map<number, AbortController>();
const tell = (reply: ClientReply): void => parentPort?.postMessage(reply);

/** One reply for each call, in the order of the answers. */
parentPort?.on('message', async (message: ClientRequest) => {
  const { id } = message;
  if (message.kind === 'abort') {
    running.get(id)?.abort();
    return;
  }
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const { setup, request } = message;
    tell({ id, outcome: await modelProviderOf(setup).summarize({ ...request, signal: controller.signal }) });
  } catch {
    // Aborted, or no client can be loaded: whoever asked says what it is.
    tell({ id });
  } finally {
    running.delete(id);
  }
});
