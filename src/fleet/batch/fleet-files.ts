import { resolve } from 'node:path';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { groupBy } from '../../content/group-by.ts';
import { fileStatus } from '../../disk/file-status.ts';
import type { FileAnswers, FileOutcome, FileQuestion } from '../../lab/files/file-answers.ts';
import { fleetPackage, openRedis } from '../redis.ts';
import { type AskedFile, type FileKind, queueOf, type Shard } from './file-queue.ts';
import { OpenFiles } from './open-files.ts';
import { buildHash, contentHash, resultKey } from './result-key.ts';
import { type ResultStore, resultStore } from './result-store.ts';

/** How long it waits for announcements at once, and after how much time it looks for what was not announced. */
const WAIT_MS = 500;
const SWEEP_MS = 2_000;
/** Attempts of a job, and jobs of a shard before its files count as failed. */
const ATTEMPTS = 3;
const MAX_JOBS = 3;
/** A failed job says why until then. */
const FAILED_S = 3600;

interface OpenShard extends Shard {
  readonly id: string;
  jobs: number;
}

export interface FleetOptions {
  readonly url: string;
  readonly kind: FileKind;
  /** Called once at most, if no worker of this build is connected. */
  readonly onNobody: () => void;
}

interface Connections {
  readonly redis: Redis;
  /** Blocked while it waits. */
  readonly reader: Redis;
  readonly queue: Queue<Shard>;
}

/**
 * Answers questions about files on the workers of a Redis server (`density team worker`). A result is kept there by what it depends
 * on, so the same command after a crash continues. It waits while the server or the workers are gone. Source: docs/team.md.
 */
export class FleetFiles<Question extends FileQuestion, Result> implements FileAnswers<Question, Result> {
  readonly #options: FleetOptions;
  readonly #connections: Connections;
  readonly #store: ResultStore;

  private constructor(options: FleetOptions, connections: Connections) {
    this.#options = options;
    this.#connections = connections;
    this.#store = resultStore(connections.redis, queueOf(options.kind));
  }

  /** @throws CompressionStrategyError as `openRedis`. */
  static async open<Question extends FileQuestion, Result>(
    options: FleetOptions,
  ): Promise<FleetFiles<Question, Result>> {
    const { Queue: JobQueue } = await fleetPackage(() => import('bullmq'));
    const redis = await openRedis(options.url);
    const reader = redis.duplicate();
    const queue = new JobQueue<Shard>(queueOf(options.kind), { connection: redis });
    // What waits for the server goes on when it is back; without listeners these events would be printed.
    for (const source of [reader, queue]) source.on('error', () => {});
    return new FleetFiles(options, { redis, reader, queue });
  }

  async ask(
    questions: readonly Question[],
    onDone: (outcome: FileOutcome<Result>) => void | Promise<void>,
  ): Promise<void> {
    const from = await this.#store.end();
    const asked = await this.#named(questions, onDone);
    const open = new OpenFiles<Result>(asked, onDone);
    await open.take(await this.#store.get(open.keys()));
    await this.#wait(open, openShards(asked), from);
  }

  async close(): Promise<void> {
    const { redis, reader, queue } = this.#connections;
    await queue.close();
    reader.disconnect();
    redis.disconnect();
  }

  /** The questions with the keys of their results; a file that cannot be read is done. */
  async #named(
    questions: readonly Question[],
    onDone: (outcome: FileOutcome<Result>) => void | Promise<void>,
  ): Promise<AskedFile[]> {
    const build = buildHash(this.#options.kind);
    const files: AskedFile[] = [];
    for (const { path, ...question } of questions) {
      try {
        const content = contentHash(path);
        const sizeBytes = fileStatus(path)?.size ?? 0;
        const key = resultKey({ build, question, content });
        files.push({ path: resolve(path), content, key, asked: path, question, sizeBytes });
      } catch (error) {
        await onDone({ path, error });
      }
      // Hashing holds the thread; the progress bar has its turn between files.
      await new Promise(setImmediate);
    }
    return files;
  }

  async #wait(open: OpenFiles<Result>, shards: readonly OpenShard[], from: string): Promise<void> {
    let place = from;
    let sweepAt = performance.now();
    let nobodyFor = 0;
    while (open.size > 0) {
      if (performance.now() >= sweepAt) {
        await open.take(await this.#store.get(open.keys()));
        for (const shard of shards) await this.#addAgain(shard, open);
        nobodyFor = (await this.#connections.queue.getWorkersCount()) === 0 ? nobodyFor + 1 : 0;
        if (nobodyFor === 2) this.#options.onNobody();
        sweepAt = performance.now() + SWEEP_MS;
      }
      const { keys, end } = await this.#store.announced(this.#connections.reader, place, WAIT_MS);
      place = end;
      await open.take(await this.#store.get(keys.filter((key) => open.has(key))));
    }
  }

  /** Adds a job for a shard with open files, unless there is one. Reports the files of a job that failed for good. */
  async #addAgain(shard: OpenShard, open: OpenFiles<Result>): Promise<void> {
    const files = shard.files.filter(({ key }) => open.has(key));
    if (files.length === 0) return;
    const { queue } = this.#connections;
    const job = await queue.getJob(shard.id);
    const failure = (await job?.isFailed()) ? (job?.failedReason ?? 'unknown') : undefined;
    if (failure !== undefined || (job === undefined && shard.jobs === MAX_JOBS)) {
      await job?.remove();
      await open.fail(files, failure ?? 'its workers were lost again and again');
    } else if (job === undefined) {
      shard.jobs++;
      const { question } = shard;
      await queue.add(
        'shard',
        { question, files: shard.files },
        {
          jobId: shard.id,
          attempts: ATTEMPTS,
          removeOnComplete: true,
          removeOnFail: { age: FAILED_S },
        },
      );
    }
  }
}

/** Cut from all files, so that a later run of the same command has the same shards. */
function openShards(files: readonly AskedFile[]): OpenShard[] {
  const unique = new Map(files.map((file) => [file.key, file]));
  return [...groupBy(unique.values(), ({ question }) => JSON.stringify(question)).values()].flatMap((alike) =>
    shardsOf(alike).map((some) => ({
      id: some[0]!.key,
      question: some[0]!.question,
      files: some.map(({ path, content, key }) => ({ path, content, key })),
      jobs: 0,
    })),
  );
}

/** Files of one job. */
const MAX_FILES = 100;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Cuts files into shards of at most 100 files and 64 MB, in their order; a larger file is a shard of its own. The same
 * files give the same shards. Source: docs/team.md.
 */
export function shardsOf<File extends Pick<AskedFile, 'sizeBytes'>>(files: readonly File[]): File[][] {
  const shards: File[][] = [];
  let bytes = 0;
  for (const file of files) {
    const shard = shards.at(-1);
    bytes += file.sizeBytes;
    if (shard === undefined || shard.length === MAX_FILES || bytes > MAX_BYTES) {
      shards.push([file]);
      bytes = file.sizeBytes;
    } else shard.push(file);
  }
  return shards;
}
