import { modelProviderOf } from '../src/providers/index.ts';
import type { ClientOutcome, ClientRequest } from '../src/providers/offloaded/client-protocol.ts';
import { answering } from '../src/threads/answer.ts';

export default answering((asked: ClientRequest): Promise<ClientOutcome> => {
  const { setup, progress } = asked;
  const controller = new AbortController();
  progress.once('close', () => controller.abort());
  const provider = modelProviderOf(setup);
  const { signal } = controller;
  if (asked.kind === 'summarize') return provider.summarize({ ...asked.request, signal });
  return provider.answer({ ...asked.request, signal, onPart: (part) => progress.postMessage(part) });
});
