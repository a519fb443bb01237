/** Lets waits of half a second and more last a hundred times as long: no deadline comes because the machine is busy. Returns what ends that. */
export function slowClock(): () => void {
  const { setTimeout: start } = globalThis;
  const { now } = performance;
  globalThis.setTimeout = ((call: () => void, waitMs = 0, ...more: []) =>
    start(call, waitMs >= 500 ? 100 * waitMs : waitMs, ...more)) as typeof start;
  performance.now = () => now.call(performance) / 100;
  return () => {
    globalThis.setTimeout = start;
    performance.now = now;
  };
}

/** The same for a process that imports this first. */
export const SLOW_CLOCK = `data:text/javascript,${encodeURIComponent(`(${slowClock})()`)}`;
