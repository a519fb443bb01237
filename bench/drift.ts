import { setTimeout as sleep } from 'node:timers/promises';
import { StallProbe } from '../src/replay/stall-probe.ts';

/** The largest drift of a 5 ms timer while `work` runs, and until `windowMs` are over. */
export async function stallOf(work: () => Promise<unknown>, windowMs: number): Promise<number> {
  const probe = new StallProbe(() => performance.now());
  const endsAt = performance.now() + windowMs;
  probe.resume();
  await work();
  const restMs = endsAt - performance.now();
  if (restMs > 0) await sleep(restMs);
  probe.pause();
  return probe.stallMs.max();
}
