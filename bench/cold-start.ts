import type { EngineName } from '../src/history/engine.ts';
import { createHistoryService } from '../src/offload/create-history-service.ts';
import { serve } from './child.ts';
import { stallOf } from './drift.ts';

/** Long enough for threads to have started. */
const WINDOW_MS = 500;

export interface ColdStartSample {
  /** `createHistoryService` alone. */
  readonly createMs: number;
  /** The first `add` alone. */
  readonly addMs: number;
  /** From the beginning until the tokens of that entry are known. */
  readonly countedMs: number;
  /** The largest drift of a 5 ms timer from the beginning until well after that: packages are loaded in it. */
  readonly stallMs: number;
}

/** The first service of a process and its first entry. */
async function first({ engine }: { readonly engine: EngineName }): Promise<ColdStartSample> {
  let createMs = 0;
  let addMs = 0;
  let countedMs = 0;
  const stallMs = await stallOf(async () => {
    const startedAt = performance.now();
    const history = createHistoryService({ engine, model: 'gpt-4o' });
    const createdAt = performance.now();
    history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Is anybody there?' }] });
    createMs = createdAt - startedAt;
    addMs = performance.now() - createdAt;
    await history.waitForTokenUpdates();
    countedMs = performance.now() - startedAt;
    if (history.getTotalTokens() !== 4) throw new Error(`Expected 4 tokens, got ${history.getTotalTokens()}.`);
  }, WINDOW_MS);
  return { createMs, addMs, countedMs, stallMs };
}

serve<never>(import.meta.filename, { first });
