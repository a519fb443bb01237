import { setTimeout as sleep } from 'node:timers/promises';
import { longestBusyMs } from './busy-stretch.ts';
import { serve } from './child.ts';
import { checkTotal, gatedHistory, ownSession } from './gated-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';

const ROUNDS = 5;
const TURNS = 40;

/** One sample per round: a session is resumed, and turns follow. */
export interface SliceSamples {
  readonly resumeMs: number[];
  readonly turnMs: number[];
}

/** The longest that anything of ours holds the main thread between two turns of the event loop. */
async function longest({ tokens }: { readonly tokens: number }): Promise<SliceSamples> {
  const session = ownSession(tokens);
  const turns = new OrdinaryTurns();
  const samples: SliceSamples = { resumeMs: [], turnMs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    const { history, gate } = gatedHistory('offloaded', session);
    await sleep(300);
    samples.resumeMs.push(
      await longestBusyMs(async () => {
        history.addAll(session.entries);
        await gate.ensureCompressionBeforeSend('resume');
      }),
    );
    let longestMs = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      const entries = turns.next();
      const busyMs = await longestBusyMs(async () => {
        for (const entry of entries) history.add(entry);
        await gate.ensureCompressionBeforeSend('turn');
      });
      longestMs = Math.max(longestMs, busyMs);
    }
    samples.turnMs.push(longestMs);
    checkTotal(history);
    history.dispose();
  }
  return samples;
}

serve<never>(import.meta.filename, { longest });
