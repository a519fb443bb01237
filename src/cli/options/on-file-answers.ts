import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { FileKind } from '../../fleet/batch/file-queue.ts';
import type { FileAnswers, FileQuestion } from '../../lab/files/file-answers.ts';
import { FileThreads } from '../../lab/files/file-threads.ts';
import { workerFile } from '../../threads/worker-file.ts';
import { terminal } from '../terminal/terminal.ts';
import { type NamedSessions, namedSessions } from './named-sessions.ts';
import { sessionPath } from './session-path.ts';
import { applySettingsOfModels } from './setting-sources.ts';
import type { UnnamedSessions } from './unnamed-sessions.ts';

export interface RedisOption {
  readonly redis?: string;
}

/** Adds `--redis`. */
export function redisOption(command: Command): Command {
  return command.option(
    '--redis <url>',
    'let the workers of this Redis server do the work (`density worker`); run the command again to continue it',
  );
}

/** One thread per processor, but not more than there are files. */
const threadsFor = ({ files }: NamedSessions): number => Math.max(1, Math.min(availableParallelism(), files.length));

/** Threads of this process, or the workers of a Redis server. */
async function opened<Question extends FileQuestion, Result>(
  kind: FileKind,
  sessions: NamedSessions,
  redis: string | undefined,
): Promise<FileAnswers<Question, Result>> {
  if (redis === undefined) return new FileThreads(threadsFor(sessions), workerFile(kind));
  const { FleetFiles } = await import('../../fleet/batch/fleet-files.ts');
  const onNobody = (): void => {
    void terminal().notes.print('No worker is connected. Start one: density worker --redis <url>\n');
  };
  return FleetFiles.open({ url: redis, kind, onNobody });
}

interface Named extends RedisOption {
  readonly names: readonly string[];
  /** What is taken without a name. */
  readonly unnamed: UnnamedSessions;
}

/** Runs `work` with the named sessions and those of named folders, and with threads that are loading meanwhile and end after it. */
export async function onFileAnswers<Question extends FileQuestion, Result>(
  kind: FileKind,
  { names, unnamed, redis }: Named,
  work: (sessions: NamedSessions, answers: FileAnswers<Question, Result>) => Promise<void>,
): Promise<void> {
  await applySettingsOfModels();
  const sessions =
    names.length === 0 ? await unnamed() : namedSessions(await Promise.all(names.map((name) => sessionPath(name))));
  const answers = await opened<Question, Result>(kind, sessions, redis);
  try {
    await work(sessions, answers);
  } finally {
    await answers.close();
  }
}
