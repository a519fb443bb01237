import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { fileStatus } from '../../disk/file-status.ts';
import type { FileKind } from '../../fleet/batch/file-queue.ts';
import type { FileAnswers, FileQuestion } from '../../lab/files/file-answers.ts';
import { FileThreads } from '../../lab/files/file-threads.ts';
import { workerFile } from '../../threads/worker-file.ts';
import { terminal } from '../terminal/terminal.ts';
import { sessionPath } from './session-path.ts';
import { sourcesInForce } from './setting-sources.ts';

export interface RedisOption {
  readonly redis?: string;
}

/** Adds `--redis`. */
export function redisOption(command: Command): Command {
  return command.option(
    '--redis <url>',
    'let the workers of this Redis server do the work (`density worker`); running it again continues',
  );
}

/** One thread per processor, but not more than there are files. */
function threadsFor(named: readonly string[]): number {
  const isFolder = named.some((name) => fileStatus(name)?.isDirectory());
  return isFolder ? availableParallelism() : Math.min(availableParallelism(), named.length);
}

/** Threads of this process, or the workers of a Redis server. */
async function opened<Question extends FileQuestion, Result>(
  kind: FileKind,
  named: readonly string[],
  redis: string | undefined,
): Promise<FileAnswers<Question, Result>> {
  if (redis === undefined) return new FileThreads(threadsFor(named), workerFile(kind));
  const { FleetFiles } = await import('../../fleet/batch/fleet-files.ts');
  const onNobody = (): void => {
    void terminal().notes.print('No worker is connected. Start one: density worker --redis <url>\n');
  };
  return FleetFiles.open({ url: redis, kind, onNobody });
}

/**
 * Runs `work` with the paths of the named sessions and folders, and with threads that are loading meanwhile and end after
 * it. Without a name the user picks a session.
 */
export async function onFileAnswers<Question extends FileQuestion, Result>(
  kind: FileKind,
  names: readonly string[],
  { redis }: RedisOption,
  work: (named: readonly string[], answers: FileAnswers<Question, Result>) => Promise<void>,
): Promise<void> {
  await sourcesInForce({});
  const named = await Promise.all((names.length === 0 ? [undefined] : names).map((name) => sessionPath(name)));
  const answers = await opened<Question, Result>(kind, named, redis);
  try {
    await work(named, answers);
  } finally {
    await answers.close();
  }
}
