import type { Duplex } from 'node:stream';

/** An agent that sends more before its upgrade is answered has to wait with the rest. */
const MAX_EARLY_BYTES = 64 * 1024;

/** A connection whose upgrade is not answered yet. It is read all the time, because the end of one that nobody reads is not seen. */
export class UnansweredSocket {
  readonly #socket: Duplex;
  readonly #left = new AbortController();
  readonly #early: Buffer[] = [];
  #sizeBytes = 0;

  /** `head`: what came with the request. */
  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    this.#take(head);
    socket.on('data', this.#take).once('end', this.#leave).once('close', this.#leave);
  }

  /** Aborted when the agent leaves. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  readonly #take = (bytes: Buffer): void => {
    this.#early.push(bytes);
    this.#sizeBytes += bytes.length;
    if (this.#sizeBytes > MAX_EARLY_BYTES) this.#socket.pause();
  };

  readonly #leave = (): void => {
    this.#left.abort();
    this.#socket.destroy();
  };

  /** What came so far. From here on it is not read here, nor its end seen. */
  release(): Buffer {
    this.#socket.off('data', this.#take).off('end', this.#leave).off('close', this.#leave).pause();
    return Buffer.concat(this.#early.splice(0));
  }
}
