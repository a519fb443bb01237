import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName } from '../src/history/engine.ts';
import { serve } from './child.ts';
import { stallOf } from './drift.ts';
import { checkTotal, gatedHistory, ownSession } from './gated-history.ts';

const SETTLE_MS = 300;
const MIN_WINDOW_MS = 100;
const BYTES_PER_TOKEN = 4;

export interface ResumeSetting {
  readonly engine: EngineName;
  readonly tokens: number;
}

/** From the first entry that is added until the first gate run is over. */
export interface ResumeSample {
  readonly stallMs: number;
  /** In a window of the same length, with nothing to do. */
  readonly idleMs: number;
  readonly wholeMs: number;
}

/** The first session that a process takes up: nothing is compiled, threads have just started. */
async function resume({ engine, tokens }: ResumeSetting): Promise<ResumeSample> {
  const session = ownSession(tokens);
  // As the chat of the examples does: the threads start while it reads the file.
  const { history, gate } = gatedHistory(engine, { ...session, expectedBytes: BYTES_PER_TOKEN * tokens });
  globalThis.gc?.();
  await sleep(SETTLE_MS);
  let wholeMs = 0;
  const stallMs = await stallOf(async () => {
    const startedAt = performance.now();
    await history.addInSlices(session.entries);
    await gate.ensureCompressionBeforeSend('resume');
    wholeMs = performance.now() - startedAt;
  }, MIN_WINDOW_MS);
  const idleMs = await stallOf(() => sleep(wholeMs), MIN_WINDOW_MS);
  checkTotal(history);
  return { stallMs, idleMs, wholeMs };
}

serve<never>(import.meta.filename, { resume });
