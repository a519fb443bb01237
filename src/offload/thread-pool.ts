import { availableParallelism } from 'node:os';
import { ThreadHost } from '../threads/thread-host.ts';
import { workerFile } from '../threads/worker-file.ts';
import type { Reply, Request, ThreadFigures } from './protocol.ts';
import { isReplyTo } from './reply-check.ts';

/** Requests that a thread has at once: it works on while the caller, who may be counting, has yet to see its reply. */
export const MAX_IN_FLIGHT = 4;
const DEFAULT_DEADLINE_MS = 15_000;
const DEFAULT_REPLICA_BUDGET_BYTES = 256 * 1024 * 1024;
/** About 80,000 tokens: there a first `optimize` on the calling thread holds it for 10 ms. Source: docs/architecture.md, "When threads help". */
const DEFAULT_MIN_BYTES = 512 * 1024;
const DEFAULT_MOST_WAITING = 1_024;
const DEFAULT_OLD_GENERATION_MB = 2_048;

export interface ThreadPoolOptions {
  /** Built JavaScript file that every thread runs; the package's own when absent. */
  readonly workerFile?: URL;
  /** One less than the machine runs at once when absent, at least one. */
  readonly threads?: number;
  /** Time that one request may take; 15 s when absent. */
  readonly deadlineMs?: number;
  readonly maxOldGenerationSizeMb?: number;
  /** Memory that the replicas of one thread may take; the least recently used are removed first. 256 MB when absent. */
  readonly replicaBudgetBytes?: number;
  /** Memory that a history takes before its work is given to a thread; below it the caller is sooner done. 512 kB when absent. */
  readonly minBytes?: number;
  /** Requests that may wait for one thread; further ones are refused as `full`. 1,024 when absent. */
  readonly mostWaiting?: number;
  /** The clock of the pauses after failures; it never runs backwards. */
  readonly nowMs?: () => number;
}

export interface ThreadPoolStats {
  readonly threads: number;
  readonly lostThreads: number;
  /** Requests that wait for a thread; each history has one at most. */
  readonly queueDepth: number;
  readonly requests: number;
  readonly replicas: number;
  readonly replicaBytes: number;
  /** Text that threads have counted. */
  readonly countedBytes: number;
}

/** The thread that a history lives on. */
export interface Home {
  readonly lane: number;
}

/**
 * Threads that live as long as the pool, shared by many histories. A history always runs on its home thread, where its
 * replica is, and takes turns with its neighbours. Source: docs/architecture.md, "The offload protocol".
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #host: ThreadHost<Request, Reply>;
  /** Histories by lane. */
  readonly #settled: number[];
  /** By lane, with the number of losses when they were reported. */
  readonly #figures = new Map<number, ThreadFigures & { readonly losses: number }>();
  #countedBytes = 0;

  constructor(options: ThreadPoolOptions = {}) {
    this.#options = options;
    const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#settled = new Array<number>(threads).fill(0);
    this.#host = new ThreadHost({
      workerFile: options.workerFile ?? workerFile('engine'),
      threads,
      concurrency: MAX_IN_FLIGHT,
      maxOldGenerationSizeMb: options.maxOldGenerationSizeMb ?? DEFAULT_OLD_GENERATION_MB,
      mostWaiting: options.mostWaiting ?? DEFAULT_MOST_WAITING,
      workerData: { replicaBudgetBytes: options.replicaBudgetBytes ?? DEFAULT_REPLICA_BUDGET_BYTES },
      isReply: isReplyTo,
      ...(options.nowMs && { nowMs: options.nowMs }),
    });
  }

  get isClosed(): boolean {
    return this.#host.isClosed;
  }

  /** Whether its threads were started, and it is not closed. */
  get isRunning(): boolean {
    return this.#host.isRunning;
  }

  /** Memory that a history takes before its work is given to a thread. */
  get minBytes(): number {
    return this.#options.minBytes ?? DEFAULT_MIN_BYTES;
  }

  /** Starts the threads, so that the first request need not wait for it. That request reports what fails. */
  start(): void {
    this.#host.start();
  }

  /** A home on the thread with the fewest histories; `leave` gives it back. */
  settle(): Home {
    const lane = this.#settled.indexOf(Math.min(...this.#settled));
    this.#settled[lane]!++;
    return { lane };
  }

  /** Whether no other history lives on this thread. */
  isAlone({ lane }: Home): boolean {
    return this.#settled[lane] === 1;
  }

  leave({ lane }: Home): void {
    this.#settled[lane]!--;
  }

  /**
   * The reply of the home thread to the request that `build` makes when it is sent.
   * @throws ThreadUnavailableError when there is no valid reply; what `build` throws.
   */
  async run({ lane }: Home, build: () => Request | Promise<Request>): Promise<Reply> {
    const { deadlineMs = DEFAULT_DEADLINE_MS } = this.#options;
    const reply = await this.#host.run(build, { lane, deadlineMs });
    this.#countedBytes += reply.countedBytes;
    this.#figures.set(lane, { ...reply.figures, losses: this.#host.losses });
    return reply;
  }

  stats(): ThreadPoolStats {
    const { losses, requests, waiting } = this.#host;
    const figures = [...this.#figures.values()].filter((one) => one.losses === losses);
    const sum = (pick: (one: ThreadFigures) => number): number => figures.reduce((total, one) => total + pick(one), 0);
    return {
      threads: this.#settled.length,
      lostThreads: losses,
      queueDepth: waiting,
      requests,
      replicas: sum((one) => one.replicas),
      replicaBytes: sum((one) => one.replicaBytes),
      countedBytes: this.#countedBytes,
    };
  }

  /** Ends every thread; waiting and running requests are rejected as `closed`. */
  close(): Promise<void> {
    return this.#host.close();
  }
}
