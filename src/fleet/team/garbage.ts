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
export class Garbage {
  readonly #collect: () => void;
  #largeBytes = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(collectNow = collect) {
    this.#collect = collectNow;
  }

  /** A body of this length is done with. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (bytes >= LARGE_BYTES) this.#largeBytes += bytes;
    if (this.#largeBytes >= MAX_LARGE_BYTES) {
      this.#largeBytes = 0;
      setImmediate(this.#collect);
    }
    if (this.#bytes >= MIN_BYTES) this.#later(() => this.#rest());
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #rest(): void {
    this.#bytes = 0;
    this.#collect();
    // The engine gives back the pages that the first time emptied.
    this.#later(this.#collect);
  }

  #later(work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, REST_MS).unref();
  }
}
