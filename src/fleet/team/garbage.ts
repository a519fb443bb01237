import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bodies of this length leave so much garbage that the process grows before it is collected by itself. */
const LARGE_BYTES = 8 * 1024 * 1024;
const MAX_LARGE_BYTES = 128 * 1024 * 1024;
/** The least bytes of bodies before a rest. The data made from a body may be ten times as large. */
const MIN_BYTES = 4 * 1024 * 1024;
const REST_MS = 5_000;

/** Collects garbage at once: the engine waits for new work, and a process that rests would keep its largest size. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc();
}

/** Gives back the memory of bodies that are done with, between large ones, and once nothing comes any more. */
export function garbageOfBodies(collectNow = collect) {
  let largeBytes = 0;
  let allBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const later = (work: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(work, REST_MS).unref();
  };
  const rest = (): void => {
    allBytes = 0;
    collectNow();
    // The engine gives back the pages that the first time emptied.
    later(collectNow);
  };
  return {
    /** A body of this length is done with. */
    add(bytes: number): void {
      allBytes += bytes;
      if (bytes >= LARGE_BYTES) largeBytes += bytes;
      if (largeBytes >= MAX_LARGE_BYTES) {
        largeBytes = 0;
        setImmediate(collectNow);
      }
      if (allBytes >= MIN_BYTES) later(rest);
    },
    close: (): void => clearTimeout(timer),
  };
}
