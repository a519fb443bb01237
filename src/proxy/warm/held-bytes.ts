import { LARGEST_BODY_BYTES } from '../intake/request-body.ts';

/** Of all requests whose cache is kept. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What a process may hold of requests that pings repeat. One that does not fit gets no ping. */
export class HeldBytes {
  readonly #most: number;
  #bytes = 0;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes room; returns what gives it back, and does that once. Undefined if there is none. */
  take(bytes: number): (() => void) | undefined {
    if (bytes > LARGEST_BODY_BYTES || this.#bytes + bytes > this.#most) return undefined;
    this.#bytes += bytes;
    let isTaken = true;
    return () => {
      if (isTaken) this.#bytes -= bytes;
      isTaken = false;
    };
  }
}
