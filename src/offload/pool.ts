import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { Request } from './protocol.ts';

export interface ThreadsOptions {
  /** Built JavaScript file that every thread runs. */
  readonly workerFile: URL;
  readonly threads: number;
  readonly maxOldGenerationSizeMb: number;
  readonly replicaBudgetBytes: number;
}

/** Told when a thread is lost; `lane` is its number, undefined when the pool itself cannot tell which. */
export type LossListener = (lane: number | undefined, cause: unknown) => void;

/** A fixed number of threads from their start to the first loss: what is lost is not mended but started anew. */
export class Threads {
  readonly #piscina: Piscina<Request, unknown>;
  readonly #queueOptions: typeof Piscina.queueOptionsSymbol;
  readonly #loaded = new Set<number>();

  private constructor(pool: typeof Piscina, options: ThreadsOptions, onLoss: LossListener) {
    this.#queueOptions = pool.queueOptionsSymbol;
    let threadIds: readonly number[] = [];
    this.#piscina = new pool<Request, unknown>({
      filename: options.workerFile.href,
      minThreads: options.threads,
      maxThreads: options.threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      // An idle thread must stay awake for its progress ports. Source: 'sync' parks it and freezes them.
      atomics: 'disabled',
      stricterFIFO: true,
      recordTiming: false,
      // Threads must not inherit loaders and inspectors of whoever runs this process.
      execArgv: [],
      workerData: { replicaBudgetBytes: options.replicaBudgetBytes },
      resourceLimits: { maxOldGenerationSizeMb: options.maxOldGenerationSizeMb },
      loadBalancer: (task, workers) => {
        const { lane } = Reflect.get(task, this.#queueOptions) as { lane: number };
        return workers.find(({ id }) => id === threadIds[lane]) ?? null;
      },
    });
    const { threads } = this.#piscina;
    threadIds = threads.map(({ threadId }) => threadId);
    for (const [lane, thread] of threads.entries()) this.#watch(thread, lane, onLoss);
    // A thread that fails while idle is told here only, and unheard it would end the process. The thread's own event,
    // which names the lane, comes in the same turn and goes first.
    this.#piscina.on('error', (cause) => queueMicrotask(() => onLoss(undefined, cause)));
  }

  /**
   * Starts threads in a later turn of the event loop, so that whoever asked first is not delayed.
   * @throws when the pool's package cannot be loaded or the threads cannot be made.
   */
  static async start(options: ThreadsOptions, onLoss: LossListener): Promise<Threads> {
    const { Piscina: pool } = await import('piscina');
    await nextEventLoopTurn();
    return new Threads(pool, options, onLoss);
  }

  /** Whether the thread has loaded its file. */
  hasLoaded(lane: number): boolean {
    return this.#loaded.has(lane);
  }

  /** What the thread answers. A thread that fails to load may never answer: `onLoss` tells. */
  run(lane: number, request: Request): Promise<unknown> {
    const task = { ...request, [this.#queueOptions]: { lane } };
    return this.#piscina.run(task, { transferList: request.progress ? [request.progress] : [] });
  }

  /** Ends every thread at once, busy or not. */
  async end(): Promise<void> {
    await this.#piscina.destroy();
  }

  #watch(thread: Worker, lane: number, onLoss: LossListener): void {
    // The first word of a thread is that it has loaded its file.
    thread.once('message', () => this.#loaded.add(lane));
    thread.on('error', (cause) => onLoss(lane, cause));
    thread.on('exit', (code) => onLoss(lane, new Error(`it exited with code ${code}`)));
  }
}
