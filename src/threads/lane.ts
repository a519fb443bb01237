import { ThreadUnavailableError } from './unavailable.ts';

export interface LaneOptions {
  /** Calls that may wait; further ones are refused as `full`. */
  readonly mostWaiting: number;
  /** Calls that the thread works on at once. */
  readonly concurrency: number;
}

/** A call that waits for its turn. It holds no payload: that is built when its turn has come. */
interface WaitingCall {
  readonly send: () => Promise<unknown>;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The queue before one thread: first come, first served. A history has one call in it at most, so histories take
 * turns, and none waits for more than one call of each other one.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #waiting: WaitingCall[] = [];
  readonly #running = new Set<WaitingCall>();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** What `send` returns when its turn has come. @throws ThreadUnavailableError `full` when too many wait; what `send` throws; what the call is given up with. */
  async enter<Reply>(send: () => Promise<Reply>): Promise<Reply> {
    if (this.#waiting.length >= this.#options.mostWaiting) throw new ThreadUnavailableError('full');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ send, resolve: resolve as WaitingCall['resolve'], reject });
      this.#advance();
    });
  }

  /** Rejects the calls that the thread works on; what comes of them later is dropped. */
  giveUp(error: ThreadUnavailableError): void {
    for (const call of [...this.#running]) this.#finish(call, () => call.reject(error));
  }

  /** Rejects all calls, waiting ones too. */
  giveUpAll(error: ThreadUnavailableError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.giveUp(error);
  }

  #advance(): void {
    while (this.#running.size < this.#options.concurrency) {
      const call = this.#waiting.shift();
      if (call === undefined) return;
      this.#running.add(call);
      call.send().then(
        (reply) => this.#finish(call, () => call.resolve(reply)),
        (error: unknown) => this.#finish(call, () => call.reject(error)),
      );
    }
  }

  #finish(call: WaitingCall, settle: () => void): void {
    if (!this.#running.delete(call)) return;
    settle();
    this.#advance();
  }
}
