import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import type { FileAnswers, FileOutcome, FileQuestion } from '../../lab/files/file-answers.ts';
import { toErrorData } from '../../threads/answer.ts';
import { fleetPackage, openRedis } from '../redis.ts';
import { type FileKind, queueOf, type Shard, type ShardFile } from './file-queue.ts';
import { contentHash } from './result-key.ts';
import { type ResultStore, resultStore } from './result-store.ts';

/** A job whose worker is gone for so long is given to another one. */
const LOCK_MS = 20_000;
const LOOK_MS = 5_000;
/** A job that took so many workers with it has failed. */
const MAX_STALLS = 3;

export interface ShardReport {
  readonly kind: FileKind;
  /** Files that were answered now, and those that had an outcome. */
  readonly answered: number;
  readonly known: number;
  /** Files whose thread was lost, or whose bytes changed; they are tried again. */
  readonly failed: number;
  readonly tookMs: number;
}

interface Work {
  readonly kind: FileKind;
  readonly store: ResultStore;
}

export interface FileWorkerOptions {
  readonly url: string;
  readonly kinds: readonly FileKind[];
  /** Opened for the first shard of a kind. */
  readonly answers: (kind: FileKind) => FileAnswers<FileQuestion, unknown>;
  readonly onShard: (report: ShardReport) => void;
  readonly onError: (error: Error) => void;
}

/** Takes shards of files from a Redis server, answers them on threads, and writes each result as soon as it is there. */
export class FileWorker {
  readonly #options: FileWorkerOptions;
  readonly redis: Redis;
  readonly #answers = new Map<FileKind, FileAnswers<FileQuestion, unknown>>();
  #workers: readonly Worker<Shard>[] = [];
  #queues: readonly Queue<Shard>[] = [];
  #running = 0;
  #isStopping = false;

  private constructor(options: FileWorkerOptions, redis: Redis) {
    this.#options = options;
    this.redis = redis;
  }

  /** @throws CompressionStrategyError as `openRedis`. */
  static async start(options: FileWorkerOptions): Promise<FileWorker> {
    const { Worker: JobWorker, Queue: JobQueue } = await fleetPackage(() => import('bullmq'));
    const started = new FileWorker(options, await openRedis(options.url));
    const connection = started.redis;
    started.#queues = options.kinds.map((kind) => new JobQueue<Shard>(queueOf(kind), { connection }));
    for (const queue of started.#queues) queue.on('error', options.onError);
    started.#workers = options.kinds.map((kind) => {
      const queue = queueOf(kind);
      const store = resultStore(connection, queue);
      const worker = new JobWorker<Shard>(queue, (job, token) => started.#counted({ kind, store }, job, token), {
        connection,
        lockDuration: LOCK_MS,
        stalledInterval: LOOK_MS,
        maxStalledCount: MAX_STALLS,
      });
      worker.on('error', options.onError);
      return worker;
    });
    return started;
  }

  /** Shards that run here. */
  get running(): number {
    return this.#running;
  }

  /** Why it takes no new shard; undefined: it does. */
  notReady(): string | undefined {
    if (this.#isStopping) return 'closing';
    return this.redis.status === 'ready' ? undefined : 'no answer of Redis';
  }

  /** Shards that wait for a worker of this build. */
  async waiting(): Promise<number> {
    const counts = await Promise.all(this.#queues.map((queue) => queue.getWaitingCount()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Ends after the files that are read now; the rest of their shards goes back to the queue. */
  async close(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#answers.values()].map((answers) => answers.close()));
    await Promise.all([...this.#workers, ...this.#queues].map((one) => one.close()));
    this.redis.disconnect();
  }

  async #counted(work: Work, job: Job<Shard>, token: string | undefined): Promise<void> {
    this.#running++;
    try {
      await this.#perform(work, job, token);
    } finally {
      this.#running--;
    }
  }

  async #perform({ kind, store }: Work, job: Job<Shard>, token: string | undefined): Promise<void> {
    const startedAt = performance.now();
    const { question, files } = job.data;
    const left: ShardFile[] = [];
    for (const file of files) if (!(await store.has(file.key))) left.push(file);
    const failures: string[] = [];
    const byPath = new Map(left.map((file) => [file.path, file]));
    await this.#answersOf(kind).ask(
      left.map(({ path }) => ({ ...question, path })),
      async (outcome) => {
        if (this.#isStopping && 'error' in outcome) return;
        const failure = await keep(store, byPath.get(outcome.path)!, outcome);
        if (failure !== undefined) failures.push(failure);
      },
    );
    if (this.#isStopping) {
      const { WaitingError } = await fleetPackage(() => import('bullmq'));
      await job.moveToWait(token);
      throw new WaitingError();
    }
    this.#options.onShard({
      kind,
      answered: left.length - failures.length,
      known: files.length - left.length,
      failed: failures.length,
      tookMs: performance.now() - startedAt,
    });
    if (failures.length > 0) throw new Error(failures.join('; '));
  }

  #answersOf(kind: FileKind): FileAnswers<FileQuestion, unknown> {
    const answers = this.#answers.get(kind) ?? this.#options.answers(kind);
    this.#answers.set(kind, answers);
    return answers;
  }
}

/** Keeps the outcome, if it is about the bytes that were asked about; returns why it was not kept. */
async function keep(
  store: ResultStore,
  { path, content, key }: ShardFile,
  outcome: FileOutcome<unknown>,
): Promise<string | undefined> {
  if ('error' in outcome && !(outcome.error instanceof CompressionStrategyError))
    return `${path}: ${messageOf(outcome.error)}`;
  try {
    if (contentHash(path) !== content) return `${path}: it changed after it was asked about`;
  } catch (error) {
    return `${path}: ${messageOf(error)}`;
  }
  const found = 'error' in outcome ? { error: toErrorData(outcome.error) } : { result: outcome.result };
  await store.put(key, { path, ...found });
  return undefined;
}
