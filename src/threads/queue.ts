import { ThreadUnavailableError } from './unavailable.ts';

interface QueueOptions {
  /** Calls that may wait; further ones are refused as `full`. */
  readonly mostWaiting: number;
  /** Calls that run at once. */
  readonly concurrency: number;
}

/** A call that waits for its turn. */
interface WaitingCall {
  readonly proceed: () => void;
  readonly reject: (error: unknown) => void;
}

/** Runs calls in their order: those of one history, and those to one thread. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting: WaitingCall[] = [];
  /** Gives up the calls that run. */
  readonly #running = new Set<(error: ThreadUnavailableError) => void>();
  /** Calls that run, and those whose turn has just come. */
  #taken = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The result of `run`, which is called in its turn. @throws ThreadUnavailableError `full` when too many wait; what `run` throws; what it is given up with. */
  async enter<Result>(run: () => Promise<Result>): Promise<Result> {
    const { mostWaiting, concurrency } = this.#options;
    if (this.#waiting.length >= mostWaiting) throw new ThreadUnavailableError('full');
    if (this.#taken < concurrency) this.#taken++;
    else await new Promise<void>((proceed, reject) => this.#waiting.push({ proceed, reject }));
    let giveUp: (error: ThreadUnavailableError) => void = () => {};
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    this.#running.add(giveUp);
    try {
      return await Promise.race([run(), givenUp]);
    } finally {
      this.#running.delete(giveUp);
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken--;
      else next.proceed();
    }
  }

  /** Rejects the calls that run, the first of them with `error`; their later results are dropped. */
  giveUp(error: ThreadUnavailableError, errorOfOthers = error): void {
    const [first, ...others] = this.#running;
    first?.(error);
    for (const reject of others) reject(errorOfOthers);
  }

  /** Rejects all calls, waiting ones too. */
  giveUpAll(error: ThreadUnavailableError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.giveUp(error);
  }
}
