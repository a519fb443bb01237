import { setTimeout as sleep } from 'node:timers/promises';
import { longestBusyMs } from './busy-stretch.ts';
import { serve } from './child.ts';
import { checkTotal, gatedHistory, ownSession } from './gated-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';

const SETTLE_MS = 300;
const TURNS = 40;

/** The longest that the main thread runs between two turns of the event loop. */
export interface SliceSample {
  readonly resumeMs: number;
  readonly turnMs: number;
  /** The one call of `addAll` with all entries, of another history. */
  readonly addAllMs: number;
}

/** The first session of a process is resumed, and turns follow. */
async function longest({ tokens }: { readonly tokens: number }): Promise<SliceSample> {
  const session = ownSession(tokens);
  const turns = new OrdinaryTurns();
  const { history, gate } = gatedHistory('offloaded', session);
  globalThis.gc?.();
  await sleep(SETTLE_MS);
  const resumeMs = await longestBusyMs(async () => {
    await history.addInSlices(session.entries);
    await gate.ensureCompressionBeforeSend('resume');
  });
  let turnMs = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const entries = turns.next();
    const busyMs = await longestBusyMs(async () => {
      for (const entry of entries) history.add(entry);
      await gate.ensureCompressionBeforeSend('turn');
    });
    turnMs = Math.max(turnMs, busyMs);
  }
  checkTotal(history);
  history.dispose();
  const other = gatedHistory('offloaded', session).history;
  const addAllMs = await longestBusyMs(async () => other.addAll(session.entries));
  await other.waitForTokenUpdates();
  return { resumeMs, turnMs, addAllMs };
}

serve<never>(import.meta.filename, { longest });
