import { Worker } from 'node:worker_threads';
import { fromErrorData } from '../../offload/error-data.ts';
import type { ComparedFile } from './compared-file.ts';
import type { ComparisonReply, ComparisonRequest } from './comparison-protocol.ts';
import type { Policy } from './policy.ts';

/** Room for what a session is read into: with V8's 16 MB it is copied about while it is still needed. */
const YOUNG_MB = 64;

/** One file of many: what came of it. */
export type FileOutcome =
  | { readonly path: string; readonly file: ComparedFile }
  | { readonly path: string; readonly error: unknown };

interface ThreadsOptions {
  readonly policies: readonly Policy[];
  readonly threads: number;
  /** Hears of each file as it is done, in no order. */
  readonly onDone: (outcome: FileOutcome) => void | Promise<void>;
  /** Built JavaScript. */
  readonly workerFile?: URL;
}

/**
 * Plays sessions under policies on threads, each file on the first that is free, and resolves when all are done. A
 * thread that is lost costs the file it was at.
 */
export async function compareOnThreads(paths: readonly string[], options: ThreadsOptions): Promise<void> {
  const { threads, workerFile = new URL('../../../workers/compare.js', import.meta.url) } = options;
  const waiting = [...paths];
  const lane = async (): Promise<void> => {
    let worker: Worker | undefined;
    try {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        worker ??= new Worker(workerFile, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
        const outcome = await compareOn(worker, { path, policies: options.policies });
        if ('isLost' in outcome) worker = undefined;
        await options.onDone(outcome);
      }
    } finally {
      await worker?.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, paths.length) }, lane));
}

function compareOn(
  worker: Worker,
  request: ComparisonRequest,
): Promise<FileOutcome | (FileOutcome & { isLost: true })> {
  const { path } = request;
  return new Promise((resolve) => {
    const settle = (outcome: FileOutcome | (FileOutcome & { isLost: true })): void => {
      worker.off('message', onReply).off('error', onLoss).off('exit', onExit);
      resolve(outcome);
    };
    const onReply = (reply: ComparisonReply): void =>
      settle(reply.kind === 'compared' ? { path, file: reply.file } : { path, error: fromErrorData(reply.error) });
    const onLoss = (error: unknown): void => settle({ path, error, isLost: true });
    const onExit = (): void => onLoss(new Error(`The thread that compared ${path} ended without an answer.`));
    worker.on('message', onReply).on('error', onLoss).on('exit', onExit);
    worker.postMessage(request);
  });
}
