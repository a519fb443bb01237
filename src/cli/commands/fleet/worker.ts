import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { FILE_KINDS } from '../../../fleet/batch/file-queue.ts';
import { FileWorker, type ShardReport } from '../../../fleet/batch/file-worker.ts';
import { workerMetrics } from '../../../fleet/metrics.ts';
import { redisName } from '../../../fleet/redis.ts';
import { FileThreads } from '../../../lab/files/file-threads.ts';
import { counted } from '../../../report/figures.ts';
import { openMetrics } from '../../../telemetry/metrics.ts';
import { Operation } from '../../../telemetry/operation.ts';
import { workerFile } from '../../../threads/worker-file.ts';
import { applySettingsOfModels } from '../../options/setting-sources.ts';
import { printable, terminal, UsageError } from '../../terminal/terminal.ts';
import { type ListenAddress, listenAddress, listenFailure } from './listen-address.ts';

async function work({
  redis: url,
  threads: wanted,
  listen,
}: {
  readonly redis: string;
  readonly listen?: string;
  readonly threads: string;
}): Promise<void> {
  const threads = Number(wanted);
  if (!Number.isInteger(threads) || threads < 1) {
    throw new UsageError(`Expected \`--threads\` as a number from 1 on, got \`${wanted}\`.`);
  }
  await applySettingsOfModels();
  const address = listen === undefined ? undefined : listenAddress(listen);
  const { notes } = terminal();
  const say = (text: string): void => void notes.print(`${text}\n`);
  let trouble = '';
  let measure: ((report: ShardReport) => void) | undefined;
  const running = await FileWorker.start({
    url,
    kinds: FILE_KINDS,
    answers: (kind) => new FileThreads(threads, workerFile(kind)),
    onShard: (report) => {
      const { kind, answered, known } = report;
      measure?.(report);
      say(`${kind}: ${counted(answered, 'session')}${known > 0 ? `, ${known} were known` : ''}`);
    },
    // A server that is gone fails many times a second in the same way.
    onError: ({ message }) => {
      if (message !== trouble) say(`density: ${printable(message)}`);
      trouble = message;
    },
  });
  const shown = await observed(address, running).catch(async (error: unknown) => {
    await running.close();
    throw listenFailure(error, address?.port ?? 0);
  });
  measure = shown?.measure;
  const where = shown === undefined ? '' : `; metrics at http://${address?.host}:${shown.port}/metrics`;
  say(`Working for ${redisName(url)} on ${counted(threads, 'thread')}${where}. Stop with Ctrl-C.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  await running.close();
  await shown?.close();
}

/** A server that shows how the worker is, if one is wanted. */
async function observed(address: ListenAddress | undefined, worker: FileWorker) {
  if (address === undefined) return undefined;
  const metrics = await openMetrics();
  const measure = workerMetrics(metrics, worker);
  const server = await new Operation({ metrics, notReady: () => worker.notReady() }).listen(address);
  return { measure, port: server.port, close: () => server.close() };
}

/** `density team worker`: does the work of commands with `--redis`, until it is stopped. */
export function defineWorker(command: Command): void {
  command
    .description(
      'Does the work of `compare`, `bill` and `replay` with `--redis`, on this computer, until it is stopped. It must see the sessions under the same paths as the command, and must have the same version. If it ends early, other workers do the rest.',
    )
    .requiredOption('--redis <url>', 'the Redis server, for example redis://127.0.0.1:6379')
    .option('--listen <host:port>', 'answer /health, /ready and /metrics at this address')
    .option('--threads <number>', 'threads that read sessions', String(availableParallelism()))
    .action(work);
}
