import { closeSync, existsSync, openSync, readSync } from 'node:fs';

const FILE = `/proc/self/task/${process.pid}/schedstat`;
/** The kernel updates its figure when the thread sleeps; otherwise it is up to 4 ms late. */
const NAP_MS = 0.005;

/**
 * The longest time, in milliseconds, for which `work` blocks this thread before the event loop turns. If the kernel
 * says how long the thread ran (Linux), that counts: on a shared machine the clock also counts the time of others.
 * What the thread does for the garbage collector counts as well.
 */
export async function longestBusyMs(work: () => Promise<unknown>): Promise<number> {
  const file = existsSync(FILE) ? openSync(FILE, 'r') : undefined;
  const buffer = Buffer.alloc(128);
  const never = new Int32Array(new SharedArrayBuffer(4));
  const ranMs = (): number => {
    if (file === undefined) return performance.now();
    Atomics.wait(never, 0, 0, NAP_MS);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
  let longestMs = 0;
  let lastMs = ranMs();
  let isRunning = true;
  const look = (): void => {
    const thisMs = ranMs();
    longestMs = Math.max(longestMs, thisMs - lastMs);
    lastMs = thisMs;
  };
  const turn = (): void => {
    if (!isRunning) return;
    look();
    setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    isRunning = false;
    look();
    if (file !== undefined) closeSync(file);
  }
  return longestMs;
}
