import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Reply, Request } from './protocol.ts';

/** Why a request got no reply. `displaced`: a neighbour lost its thread, ask again; `closed`: the pool is gone. */
export type LossReason = 'failed-to-load' | 'crashed' | 'hung' | 'garbage' | 'resting' | 'displaced' | 'closed';

/** A request that a thread did not answer. Nothing the thread held can be relied on; nothing of the caller's is lost. */
export class ThreadLostError extends Error {
  readonly reason: LossReason;

  constructor(reason: LossReason, cause?: unknown) {
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    super(`A worker thread was lost (${reason})${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'ThreadLostError';
    this.reason = reason;
  }
}

export interface PoolOptions {
  /** Built JavaScript file that every thread runs. */
  readonly workerFile: URL;
  readonly threads?: number;
  /** Time that one request may take, by its size. */
  readonly deadlineMs?: (request: Request) => number;
  readonly maxOldGenerationSizeMb?: number;
  /** Bytes of replicas that one thread keeps, least recently used go first. */
  readonly replicaBudgetBytes?: number;
}

export interface PoolFigures {
  readonly threads: number;
  readonly generation: number;
  readonly queueDepth: number;
  readonly sentMessages: number;
  readonly replicas: number;
  readonly replicaBytes: number;
  /** Bytes of text that threads have counted. */
  readonly countedBytes: number;
}

interface Ticket {
  readonly build: () => Request;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly waiting: Ticket[];
  /** Ends the request in flight with an error; undefined while the lane is idle. */
  displace: ((error: ThreadLostError) => void) | undefined;
}

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
const LOAD_FAILURES_BEFORE_REST = 2;

function isReplyTo(request: Request, value: unknown): value is Reply {
  const reply = value as Partial<Reply> | null | undefined;
  return (
    typeof reply === 'object' &&
    reply !== null &&
    reply.version === request.version &&
    reply.historyId === request.historyId &&
    reply.epoch === request.epoch &&
    reply.sequence === request.sequence &&
    typeof reply.outcome?.kind === 'string' &&
    (reply.outcome.kind === 'need-snapshot' || reply.revision === request.revision)
  );
}

/**
 * Threads that live as long as the pool, shared by many histories. A history always runs on its home thread, where
 * its replica is; each thread has one first-come queue with at most one request per history in it, so histories take
 * turns. A waiting request holds no payload: it is built when its turn comes. A lost thread ends its whole
 * generation; a new one starts at once. Source: DESIGN 3.1.
 */
export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #threads: number;
  readonly #lanes: Lane[];
  readonly #homes = new Map<string, number>();
  readonly #figures = new Map<number, Reply['figures']>();
  #piscina: Piscina<Request, unknown> | undefined;
  #generation = 0;
  #sentMessages = 0;
  #loadFailures = 0;
  #restUntil = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.#lanes = Array.from({ length: this.#threads }, () => ({ waiting: [], displace: undefined }));
  }

  /**
   * The thread's reply to the request that `build` makes when its turn has come. The first call starts the threads.
   * @throws ThreadLostError when no valid reply came; what `build` throws; a `DataCloneError` when it cannot be sent.
   */
  run(historyId: string, build: () => Request): Promise<Reply> {
    if (this.#closed) return Promise.reject(new ThreadLostError('closed'));
    if (Date.now() < this.#restUntil) return Promise.reject(new ThreadLostError('resting'));
    const lane = this.#lanes[this.#home(historyId)] as Lane;
    return new Promise((resolve, reject) => {
      lane.waiting.push({ build, resolve, reject });
      this.#advance(lane);
    });
  }

  /** Forgets which thread serves `historyId`. */
  forget(historyId: string): void {
    this.#homes.delete(historyId);
  }

  figures(): PoolFigures {
    const threads = [...this.#figures.values()];
    const sum = (pick: (figures: Reply['figures']) => number): number =>
      threads.reduce((total, one) => total + pick(one), 0);
    return {
      threads: this.#threads,
      generation: this.#generation,
      queueDepth: this.#lanes.reduce((total, lane) => total + lane.waiting.length, 0),
      sentMessages: this.#sentMessages,
      replicas: sum((one) => one.replicas),
      replicaBytes: sum((one) => one.replicaBytes),
      countedBytes: sum((one) => one.countedBytes),
    };
  }

  /** Ends every thread; waiting and running requests are rejected as `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endGeneration(new ThreadLostError('closed'));
  }

  /** The least used thread for a history that has none yet. */
  #home(historyId: string): number {
    const known = this.#homes.get(historyId);
    if (known !== undefined) return known;
    const load = new Array<number>(this.#threads).fill(0);
    for (const home of this.#homes.values()) load[home] = (load[home] ?? 0) + 1;
    const home = load.indexOf(Math.min(...load));
    this.#homes.set(historyId, home);
    return home;
  }

  #advance(lane: Lane): void {
    if (lane.displace !== undefined) return;
    const ticket = lane.waiting.shift();
    if (ticket === undefined) return;
    const done = (): void => {
      lane.displace = undefined;
      this.#advance(lane);
    };
    let request: Request;
    try {
      request = ticket.build();
    } catch (error) {
      ticket.reject(error);
      done();
      return;
    }
    this.#send(lane, request).then(ticket.resolve, ticket.reject).finally(done);
  }

  async #send(lane: Lane, request: Request): Promise<Reply> {
    const generation = this.#generation;
    let timer: NodeJS.Timeout | undefined;
    const displaced = new Promise<never>((_, reject) => {
      lane.displace = reject;
    });
    const hung = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ThreadLostError('hung')), this.#options.deadlineMs?.(request) ?? 60_000);
    });
    try {
      this.#sentMessages++;
      const home = this.#lanes.indexOf(lane);
      const task = Object.assign({}, request, { [Piscina.queueOptionsSymbol]: { home } });
      const value = await Promise.race([this.#pool().run(task), displaced, hung]);
      if (!isReplyTo(request, value)) throw new ThreadLostError('garbage');
      this.#loadFailures = 0;
      this.#figures.set(value.figures.threadId, value.figures);
      return value;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'DataCloneError') throw error;
      const lost = error instanceof ThreadLostError ? error : new ThreadLostError('crashed', error);
      if (generation === this.#generation && lost.reason !== 'displaced' && lost.reason !== 'closed') {
        lane.displace = undefined;
        void this.#endGeneration(new ThreadLostError('displaced', lost));
      }
      throw lost;
    } finally {
      clearTimeout(timer);
    }
  }

  #pool(): Piscina<Request, unknown> {
    if (this.#piscina) return this.#piscina;
    const piscina = new Piscina<Request, unknown>({
      filename: this.#options.workerFile.href,
      minThreads: this.#threads,
      maxThreads: this.#threads,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      stricterFIFO: true,
      execArgv: [],
      workerData: { replicaBudgetBytes: this.#options.replicaBudgetBytes ?? 256 * 1024 * 1024 },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxOldGenerationSizeMb ?? 2_048 },
      loadBalancer: (task, workers) => {
        const { home } = Reflect.get(task, Piscina.queueOptionsSymbol) as { home: number };
        return [...workers].sort((a, b) => a.id - b.id)[home % workers.length] ?? null;
      },
    });
    // A worker that fails to load never settles `run`; only this event tells.
    piscina.on('error', (error) => {
      if (piscina !== this.#piscina) return;
      this.#loadFailures++;
      if (this.#loadFailures >= LOAD_FAILURES_BEFORE_REST) {
        const rest = FIRST_REST_MS * 2 ** (this.#loadFailures - LOAD_FAILURES_BEFORE_REST);
        this.#restUntil = Date.now() + Math.min(LONGEST_REST_MS, rest);
      }
      void this.#endGeneration(new ThreadLostError('failed-to-load', error));
    });
    this.#piscina = piscina;
    return piscina;
  }

  async #endGeneration(error: ThreadLostError): Promise<void> {
    const old = this.#piscina;
    this.#piscina = undefined;
    this.#generation++;
    this.#figures.clear();
    for (const lane of this.#lanes) {
      lane.displace?.(error);
      if (error.reason === 'closed') for (const ticket of lane.waiting.splice(0)) ticket.reject(error);
    }
    await old?.destroy();
  }
}
