import { Worker } from 'node:worker_threads';
import { fromErrorData } from '../offload/error-data.ts';
import { packageFile } from '../package-file.ts';
import type { ComparedFile } from './compared-file.ts';
import type { ComparisonReply, ComparisonRequest } from './comparison-protocol.ts';
import type { Policy } from './policy.ts';

/** One file of many: what came of it. */
export type FileOutcome =
  | { readonly path: string; readonly file: ComparedFile }
  | { readonly path: string; readonly error: unknown };

interface ComparisonOptions {
  readonly policies: readonly Policy[];
  /** Hears of each file as it is done, in no order. */
  readonly onDone: (outcome: FileOutcome) => void | Promise<void>;
}

/** Threads that play sessions under policies. They load their modules from the start on, while work is still looked for. */
export class ComparisonThreads {
  readonly #workerFile: URL;
  /** `undefined` for one that was lost. */
  readonly #workers: (Worker | undefined)[];

  /** `workerFile` is built JavaScript. */
  constructor(threads: number, workerFile: URL = packageFile('dist/workers/compare.js')) {
    this.#workerFile = workerFile;
    this.#workers = new Array(threads).fill(undefined);
    for (let at = 0; at < threads; at++) this.#start(at);
  }

  /** Plays each file on the first thread that is free, and resolves when all are done. A thread that is lost costs the file it was at. */
  async compare(paths: readonly string[], { policies, onDone }: ComparisonOptions): Promise<void> {
    const waiting = [...paths];
    const lane = async (at: number): Promise<void> => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const worker = this.#workers[at] ?? this.#start(at);
        await onDone(await compareOn(worker, { path, policies }));
      }
    };
    await Promise.all(this.#workers.map((_, at) => lane(at)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker?.terminate()));
  }

  #start(at: number): Worker {
    const worker = new Worker(this.#workerFile, { execArgv: [] });
    const forget = (): void => {
      if (this.#workers[at] === worker) this.#workers[at] = undefined;
    };
    // A thread may be lost before it is asked for anything: the next file gets another one.
    worker.on('error', forget).on('exit', forget);
    this.#workers[at] = worker;
    return worker;
  }
}

function compareOn(worker: Worker, request: ComparisonRequest): Promise<FileOutcome> {
  const { path } = request;
  return new Promise((resolve) => {
    const settle = (outcome: FileOutcome): void => {
      worker.off('message', onReply).off('error', onLoss).off('exit', onExit);
      resolve(outcome);
    };
    const onReply = (reply: ComparisonReply): void =>
      settle(reply.kind === 'compared' ? { path, file: reply.file } : { path, error: fromErrorData(reply.error) });
    const onLoss = (error: unknown): void => settle({ path, error });
    const onExit = (): void => onLoss(new Error(`The thread that compared ${path} ended without an answer.`));
    worker.on('message', onReply).on('error', onLoss).on('exit', onExit);
    worker.postMessage(request);
  });
}
