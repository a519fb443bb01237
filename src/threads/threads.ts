import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';

export interface ThreadsOptions {
  /** Built JavaScript file that every thread runs; its default export takes a request and returns an `Answer`. */
  readonly workerFile: URL;
  readonly threads: number;
  /** Requests that one thread works on at once. */
  readonly concurrency: number;
  readonly maxOldGenerationSizeMb?: number;
  /** What each thread finds as its `workerData`. */
  readonly workerData?: unknown;
}

/** What is sent to a thread: plain data. What it has as `progress` is handed over: a port that the thread reports to. */
type ThreadRequest = object & { readonly progress?: MessagePort };

/** A thread that is lost; `lane` is its number, undefined when the pool itself cannot say which. */
interface LostThread {
  readonly lane: number | undefined;
  readonly reason: 'crashed' | 'failed-to-load';
  readonly cause: unknown;
}

type LossListener = (lost: LostThread) => void;

/** A thread and when it has loaded its file. */
interface Loading {
  readonly thread: Worker;
  readonly loaded: Promise<void>;
  isLoaded: boolean;
}

/**
 * Piscina's worker loads its file by `require` first. When the process ends meanwhile, Node 20 aborts in
 * `v8::Module::IsGraphAsync`; without this feature the file is loaded by `import` at once.
 */
const WITHOUT_REQUIRE = '--no-experimental-require-module';

/** A fixed number of threads from their start to the first loss. A lost thread is never replaced here: all are started again. */
export class Threads {
  readonly #piscina: Piscina<ThreadRequest, unknown>;
  readonly #loading: readonly Loading[];
  readonly #queueOptions: typeof Piscina.queueOptionsSymbol;

  private constructor(pool: typeof Piscina, options: ThreadsOptions, onLoss: LossListener) {
    this.#queueOptions = pool.queueOptionsSymbol;
    let threadIds: readonly number[] = [];
    const { maxOldGenerationSizeMb } = options;
    this.#piscina = new pool<ThreadRequest, unknown>({
      filename: options.workerFile.href,
      minThreads: options.threads,
      maxThreads: options.threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: options.concurrency,
      // An idle thread must stay awake for its progress ports. Source: 'sync' parks it and freezes them.
      atomics: 'disabled',
      stricterFIFO: true,
      recordTiming: false,
      // Threads must not inherit loaders and inspectors of the program that runs them.
      execArgv: process.features.require_module ? [WITHOUT_REQUIRE] : [],
      workerData: options.workerData,
      ...(maxOldGenerationSizeMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb } }),
      loadBalancer: (task, workers) => {
        const { lane } = Reflect.get(task, this.#queueOptions) as { lane: number };
        for (const worker of workers) if (worker.id === threadIds[lane]) return worker;
        return null;
      },
    });
    const { threads } = this.#piscina;
    threadIds = threads.map(({ threadId }) => threadId);
    this.#loading = threads.map((thread, lane) => watch(thread, lane, onLoss));
    // Only this event reports a thread that fails while idle, and an unhandled one would end the process. The thread's
    // own event, which names the lane, is emitted first in the same turn.
    this.#piscina.on('error', (cause) => queueMicrotask(() => onLoss({ lane: undefined, reason: 'crashed', cause })));
  }

  /**
   * Starts threads in a later turn of the event loop, so that the first caller is not delayed.
   * @throws when the pool's package cannot be loaded or the threads cannot be made.
   */
  static async start(options: ThreadsOptions, onLoss: LossListener): Promise<Threads> {
    const { Piscina: pool } = await import('piscina');
    await nextEventLoopTurn();
    return new Threads(pool, options, onLoss);
  }

  /** What the thread replies, once it has loaded. When it is lost before that, there is no reply: only `onLoss` reports it. */
  async run(lane: number, request: ThreadRequest): Promise<unknown> {
    const { thread, loaded, isLoaded } = this.#loading[lane]!;
    if (!isLoaded) {
      // Somebody waits: the process must not end before the thread has loaded.
      thread.ref();
      await loaded;
    }
    const task = { ...request, [this.#queueOptions]: { lane } };
    return this.#piscina.run(task, { transferList: request.progress ? [request.progress] : [] });
  }

  /** Ends every thread at once, busy or not. */
  async end(): Promise<void> {
    await this.#piscina.destroy();
  }
}

/** Sees a thread load, and reports when it is lost. */
function watch(thread: Worker, lane: number, onLoss: LossListener): Loading {
  // A thread's first message says that it has loaded its file.
  const loaded = new Promise<void>((resolve) => void thread.once('message', resolve)).then(() => {
    loading.isLoaded = true;
    thread.unref();
  });
  const loading: Loading = { thread, loaded, isLoaded: false };
  const report = (cause: unknown): void =>
    onLoss({ lane, reason: loading.isLoaded ? 'crashed' : 'failed-to-load', cause });
  thread.on('error', report);
  thread.on('exit', (code) => report(new Error(`it exited with code ${code}`)));
  return loading;
}
