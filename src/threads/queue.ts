import { ThreadUnavailableError } from './unavailable.ts';

export interface QueueOptions {
  /** Calls that may wait; further ones are refused as `full`. */
  readonly mostWaiting: number;
  /** Calls that run at once. */
  readonly concurrency: number;
}

/** A call that waits for its turn. Its payload is built only when it runs. */
interface WaitingCall {
  readonly run: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs calls in their order: those of one history, and those to one thread. There a history has one call in it
 * at most, so histories take turns, and none waits for more than one call of each other one.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting: WaitingCall[] = [];
  readonly #running = new Set<WaitingCall>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The result of `run`, which is called in its turn. @throws ThreadUnavailableError `full` when too many wait; what `run` throws; what it is given up with. */
  async enter<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= this.#options.mostWaiting) throw new ThreadUnavailableError('full');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as WaitingCall['resolve'], reject });
      this.#advance();
    });
  }

  /** Rejects the calls that run; their later results are dropped. */
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
      call.run().then(
        (result) => this.#finish(call, () => call.resolve(result)),
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
