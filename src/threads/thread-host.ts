import { startDeadline } from '../deadline.ts';
import { type ErrorData, fromErrorData } from './answer.ts';
import { BackOff } from './back-off.ts';
import { Queue } from './queue.ts';
import { Threads, type ThreadsOptions } from './threads.ts';
import { ThreadUnavailableError, type UnavailableReason } from './unavailable.ts';

interface ThreadHostOptions<Request>
  extends Pick<ThreadsOptions, 'workerFile' | 'maxOldGenerationSizeMb' | 'workerData'> {
  /** One when absent. */
  readonly threads?: number;
  /** Requests that one thread works on at once; one when absent. */
  readonly concurrency?: number;
  /** Requests that may wait for one thread; further ones are refused as `full`. No limit when absent. */
  readonly mostWaiting?: number;
  /** Whether `value` is a valid reply; a thread that sends anything else is lost. Absent: each one is. */
  readonly isReply?: (request: Request, value: unknown) => boolean;
  /** The clock of the pauses after failures; it never runs backwards. */
  readonly nowMs?: () => number;
}

export interface RunOptions {
  /** The number of the thread; 0 when absent. */
  readonly lane?: number;
  /** Time that the thread may take; no limit when absent. */
  readonly deadlineMs?: number;
}

interface Loss {
  readonly threads: Threads;
  readonly lane: number | undefined;
  readonly reason: UnavailableReason;
  readonly cause?: unknown;
}

/**
 * The one place that starts threads, pairs requests with replies and notices losses. A lost thread ends all threads of its
 * host, and the next request starts new ones. Source: docs/architecture.md, "The offload protocol".
 */
export class ThreadHost<Request extends object, Reply> {
  readonly #options: ThreadHostOptions<Request>;
  /** The queue of each thread. */
  readonly #queues: readonly Queue[];
  readonly #loading: BackOff;
  #threads: Promise<Threads> | undefined;
  #losses = 0;
  #lastLoss: ThreadUnavailableError | undefined;
  #requests = 0;
  #isClosed = false;

  constructor(options: ThreadHostOptions<Request>) {
    this.#options = options;
    const { threads = 1, concurrency = 1, mostWaiting = Number.POSITIVE_INFINITY } = options;
    this.#queues = Array.from({ length: threads }, () => new Queue({ mostWaiting, concurrency }));
    this.#loading = new BackOff(options.nowMs ?? (() => performance.now()));
  }

  /** Rises with each lost thread. */
  get losses(): number {
    return this.#losses;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether threads were started and are not lost. */
  get isRunning(): boolean {
    return this.#threads !== undefined;
  }

  /** Requests that were built so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Requests that wait for a thread. */
  get waiting(): number {
    return this.#queues.reduce((total, queue) => total + queue.waiting, 0);
  }

  /** Starts the threads, so that the first request need not wait for it. That request reports what fails. */
  start(): void {
    if (this.#isClosed || this.#loading.isResting) return;
    this.#threads ??= this.#startThreads();
    this.#threads.catch(() => {});
  }

  /**
   * The reply of a thread to the request that `build` makes when it is sent.
   * @throws ThreadUnavailableError when there is no valid reply; what `build` or the task on the thread throws.
   */
  async run(build: () => Request | Promise<Request>, { lane = 0, deadlineMs }: RunOptions = {}): Promise<Reply> {
    if (this.#isClosed) throw new ThreadUnavailableError('closed');
    if (this.#loading.isResting) throw new ThreadUnavailableError('resting', this.#lastLoss);
    return this.#queues[lane]!.enter(() => this.#send(build, lane, deadlineMs));
  }

  /** Ends every thread; waiting and running requests are rejected as `closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const queue of this.#queues) queue.giveUpAll(new ThreadUnavailableError('closed'));
    const threads = this.#threads;
    this.#threads = undefined;
    await threads?.then(
      (started) => started.end(),
      () => {},
    );
  }

  /** Runs on after the queue has given the request up: then nothing is built, and what it returns is dropped. */
  async #send(build: () => Request | Promise<Request>, lane: number, deadlineMs: number | undefined): Promise<Reply> {
    const losses = this.#losses;
    this.#expectNoLossSince(losses);
    this.#threads ??= this.#startThreads();
    const threads = await this.#threads;
    this.#expectNoLossSince(losses);
    this.#requests++;
    const request = await build();
    this.#expectNoLossSince(losses);
    const lose = (reason: UnavailableReason, cause?: unknown): ThreadUnavailableError =>
      this.#lose(losses, { threads, lane, reason, cause });
    const end =
      deadlineMs === undefined ? undefined : startDeadline(deadlineMs, () => lose('hung'), { keepsAlive: false });
    let answer: unknown;
    try {
      answer = await threads.run(lane, request);
    } catch (cause) {
      throw lose('crashed', cause);
    } finally {
      end?.();
    }
    const isAnswer = typeof answer === 'object' && answer !== null && ('value' in answer || 'error' in answer);
    if (!isAnswer) throw lose('garbage');
    this.#loading.noteSuccess();
    const { value, error } = answer as { readonly value?: unknown; readonly error?: ErrorData };
    if (error !== undefined) throw fromErrorData(error);
    if (this.#options.isReply?.(request, value) === false) throw lose('garbage');
    return value as Reply;
  }

  /** @throws ThreadUnavailableError when the threads of a request are lost. */
  #expectNoLossSince(losses: number): void {
    if (this.#isClosed) throw new ThreadUnavailableError('closed');
    if (losses !== this.#losses) throw new ThreadUnavailableError('displaced', this.#lastLoss);
  }

  async #startThreads(): Promise<Threads> {
    const losses = this.#losses;
    const { workerFile, concurrency = 1, maxOldGenerationSizeMb, workerData } = this.#options;
    try {
      const threads: Threads = await Threads.start(
        {
          workerFile,
          threads: this.#queues.length,
          concurrency,
          workerData,
          ...(maxOldGenerationSizeMb !== undefined && { maxOldGenerationSizeMb }),
        },
        (lost) => this.#lose(losses, { threads, ...lost }),
      );
      return threads;
    } catch (cause) {
      this.#threads = undefined;
      this.#loading.noteFailure();
      this.#lastLoss = new ThreadUnavailableError('failed-to-load', cause);
      throw this.#lastLoss;
    }
  }

  /** Ends the threads that started after so many losses, once: the culprit's requests with the reason, all others as displaced. Returns the error of the last loss. */
  #lose(losses: number, { threads, lane: culprit, reason, cause }: Loss): ThreadUnavailableError {
    if (this.#isClosed) return new ThreadUnavailableError('closed');
    if (losses !== this.#losses) return new ThreadUnavailableError('displaced', this.#lastLoss);
    if (reason === 'failed-to-load') this.#loading.noteFailure();
    const error = new ThreadUnavailableError(reason, cause);
    this.#lastLoss = error;
    this.#losses++;
    this.#threads = undefined;
    const displaced = new ThreadUnavailableError('displaced', error);
    // A thread works on its oldest request.
    for (const [number, queue] of this.#queues.entries())
      queue.giveUp(number === culprit ? error : displaced, displaced);
    // Nobody waits for the end of threads that are given up; how they end does not matter either.
    threads.end().catch(() => {});
    return error;
  }
}
