import { availableParallelism } from 'node:os';
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { BackOff } from './back-off.ts';
import { Deadline } from './deadline.ts';
import { Lane } from './lane.ts';
import { Threads } from './pool.ts';
import type { Reply, Request, ThreadFigures } from './protocol.ts';
import { isReplyTo } from './reply-check.ts';
import { ThreadUnavailableError, type UnavailableReason } from './unavailable.ts';

const DEFAULT_DEADLINE_MS = 15_000;
const DEFAULT_REPLICA_BUDGET_BYTES = 256 * 1024 * 1024;
const DEFAULT_MOST_WAITING = 1_024;
const DEFAULT_OLD_GENERATION_MB = 2_048;

export interface ThreadPoolOptions {
  /** Built JavaScript file that every thread runs. */
  readonly workerFile: URL;
  /** One less than the machine runs at once when absent, at least one. */
  readonly threads?: number;
  /** Time that one request may take; 15 s when absent. */
  readonly deadlineMs?: number;
  readonly maxOldGenerationSizeMb?: number;
  /** Memory that the replicas of one thread may take, least recently used go first; 256 MB when absent. */
  readonly replicaBudgetBytes?: number;
  /** Requests that may wait for one thread; further ones are refused as `full`. 1,024 when absent. */
  readonly mostWaiting?: number;
  /** The clock of the pauses after failures; it never goes back. */
  readonly nowMs?: () => number;
}

export interface ThreadPoolStats {
  readonly threads: number;
  /** Rises with each lost thread. */
  readonly generation: number;
  /** Requests that wait for a thread; each history has one at most. */
  readonly queueDepth: number;
  readonly requests: number;
  readonly replicas: number;
  readonly replicaBytes: number;
  /** Text that threads have counted. */
  readonly countedBytes: number;
}

/** Which thread a history lives on. */
export interface Home {
  readonly lane: number;
}

/**
 * Threads that live as long as the pool, shared by many histories. A history always runs on its home thread, where its
 * replica is, and takes turns with its neighbours. A lost thread ends its whole generation, and the next request
 * starts a new one. Source: docs/architecture.md, "The offload protocol".
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #lanes: readonly Lane[];
  /** By lane: of the request in flight. */
  readonly #deadlines: readonly Deadline[];
  /** Histories by lane. */
  readonly #settled: number[];
  readonly #loading: BackOff;
  readonly #figures = new Map<number, ThreadFigures>();
  #threads: Promise<Threads> | undefined;
  #generation = 0;
  #requests = 0;
  #countedBytes = 0;
  #lastLoss: ThreadUnavailableError | undefined;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    const mostWaiting = options.mostWaiting ?? DEFAULT_MOST_WAITING;
    this.#lanes = Array.from({ length: threads }, (_, number) => {
      const lane: Lane = new Lane((build) => this.#send(build, lane, number), mostWaiting);
      return lane;
    });
    this.#deadlines = this.#lanes.map(() => new Deadline());
    this.#settled = new Array<number>(threads).fill(0);
    this.#loading = new BackOff(options.nowMs ?? (() => performance.now()));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Starts the threads, so that the first request need not wait for it. What fails shows there. */
  start(): void {
    if (!this.#isClosed && !this.#loading.isResting) this.#running().catch(() => {});
  }

  /** A home on the thread with the fewest histories; `leave` gives it back. */
  settle(): Home {
    const lane = this.#settled.indexOf(Math.min(...this.#settled));
    this.#settled[lane]!++;
    return { lane };
  }

  leave({ lane }: Home): void {
    this.#settled[lane]!--;
  }

  /**
   * The reply of the home thread to the request that `build` makes when its turn has come.
   * @throws ThreadUnavailableError when no valid reply came; what `build` throws.
   */
  async run({ lane }: Home, build: () => Request): Promise<Reply> {
    if (this.#isClosed) throw new ThreadUnavailableError('closed');
    if (this.#loading.isResting) throw new ThreadUnavailableError('resting', this.#lastLoss);
    return this.#lanes[lane]!.enter(build);
  }

  stats(): ThreadPoolStats {
    const figures = [...this.#figures.values()];
    const sum = (pick: (one: ThreadFigures) => number): number => figures.reduce((total, one) => total + pick(one), 0);
    return {
      threads: this.#lanes.length,
      generation: this.#generation,
      queueDepth: this.#lanes.reduce((total, lane) => total + lane.waiting, 0),
      requests: this.#requests,
      replicas: sum((one) => one.replicas),
      replicaBytes: sum((one) => one.replicaBytes),
      countedBytes: this.#countedBytes,
    };
  }

  /** Ends every thread; waiting and running requests are rejected as `closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const lane of this.#lanes) lane.giveUpAll(new ThreadUnavailableError('closed'));
    const threads = this.#threads;
    this.#threads = undefined;
    await threads?.then(
      (started) => started.end(),
      () => {},
    );
  }

  async #send(build: () => Request, lane: Lane, number: number): Promise<Reply> {
    const givenUp = lane.givenUp();
    const generation = this.#generation;
    const deadline = this.#deadlines[number]!;
    const threads = await Promise.race([this.#running(), givenUp]);
    const request = build();
    this.#requests++;
    let value: unknown;
    try {
      // Making a part of a snapshot holds the caller for a while already, and posting it does so again.
      if (request.task.kind === 'synchronise') await Promise.race([givenUp, nextEventLoopTurn()]);
      deadline.begin(this.#options.deadlineMs ?? DEFAULT_DEADLINE_MS, () => {
        this.#lose(generation, { threads, lane: number, reason: 'hung' });
      });
      value = await Promise.race([givenUp, threads.run(number, request)]);
    } catch (error) {
      if (error instanceof ThreadUnavailableError) throw error;
      this.#lose(generation, { threads, lane: number, reason: 'crashed', cause: error });
      return await givenUp;
    } finally {
      deadline.end();
    }
    if (!isReplyTo(request, value)) {
      this.#lose(generation, { threads, lane: number, reason: 'garbage' });
      return await givenUp;
    }
    this.#loading.noteSuccess();
    this.#countedBytes += value.countedBytes;
    if (generation === this.#generation) this.#figures.set(number, value.figures);
    return value;
  }

  #running(): Promise<Threads> {
    this.#threads ??= this.#startGeneration();
    return this.#threads;
  }

  async #startGeneration(): Promise<Threads> {
    const generation = this.#generation;
    const { workerFile, maxOldGenerationSizeMb, replicaBudgetBytes } = this.#options;
    try {
      const threads: Threads = await Threads.start(
        {
          workerFile,
          threads: this.#lanes.length,
          maxOldGenerationSizeMb: maxOldGenerationSizeMb ?? DEFAULT_OLD_GENERATION_MB,
          replicaBudgetBytes: replicaBudgetBytes ?? DEFAULT_REPLICA_BUDGET_BYTES,
        },
        (lane, cause) => this.#lose(generation, { threads, lane, reason: 'crashed', cause }),
      );
      return threads;
    } catch (cause) {
      this.#threads = undefined;
      this.#loading.noteFailure();
      this.#lastLoss = new ThreadUnavailableError('failed-to-load', cause);
      throw this.#lastLoss;
    }
  }

  /** Ends a generation, once: the culprit's request with the reason, all others as displaced. */
  #lose(
    generation: number,
    loss: { threads: Threads; lane: number | undefined; reason: UnavailableReason; cause?: unknown },
  ): void {
    if (generation !== this.#generation || this.#isClosed) return;
    const { threads, lane: culprit, reason, cause } = loss;
    const isUnloaded = reason === 'crashed' && culprit !== undefined && !threads.hasLoaded(culprit);
    if (isUnloaded) this.#loading.noteFailure();
    const error = new ThreadUnavailableError(isUnloaded ? 'failed-to-load' : reason, cause);
    this.#lastLoss = error;
    this.#generation++;
    this.#threads = undefined;
    this.#figures.clear();
    for (const [number, lane] of this.#lanes.entries()) {
      lane.giveUp(number === culprit ? error : new ThreadUnavailableError('displaced', error));
    }
    // Nobody waits for the end of threads that are given up; how they end does not matter either.
    threads.end().catch(() => {});
  }
}
