import { createHistoryService, type EngineName } from '../src/offload/create-history-service.ts';
import { serve } from './child.ts';

export interface ColdStartSample {
  /** From `createHistoryService` until the first `add` is over. */
  readonly addMs: number;
  /** Until its tokens are known. */
  readonly countedMs: number;
}

/** The first service of a process and its first entry. */
async function first({ engine }: { readonly engine: EngineName }): Promise<ColdStartSample> {
  const startedAt = performance.now();
  const history = createHistoryService({ engine, model: 'gpt-4o' });
  history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Is anybody there?' }] });
  const addMs = performance.now() - startedAt;
  await history.waitForTokenUpdates();
  const countedMs = performance.now() - startedAt;
  if (history.getTotalTokens() !== 4) throw new Error(`Expected 4 tokens, got ${history.getTotalTokens()}.`);
  return { addMs, countedMs };
}

serve<never>(import.meta.filename, { first });
