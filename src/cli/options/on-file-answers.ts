import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { CompressionStrategyError } from '../../errors.ts';
import type { FileKind } from '../../fleet/batch/file-queue.ts';
import type { FileAnswers, FileQuestion } from '../../lab/files/file-answers.ts';
import { FileThreads } from '../../lab/files/file-threads.ts';
import { counted } from '../../report/figures.ts';
import { workerFile } from '../../threads/worker-file.ts';
import { printable, terminal, UsageError } from '../terminal/terminal.ts';
import { filterWords, type SessionFilter } from './filter/session-filter.ts';
import { type NamedSessions, namedSessions } from './named-sessions.ts';
import { LATEST, sessionPath } from './session-path.ts';
import { applySettingsOfModels } from './setting-sources.ts';

export interface RedisOption {
  readonly redis?: string;
}

/** Adds `--redis`. */
export function redisOption(command: Command): Command {
  return command.option(
    '--redis <url>',
    'let the workers of this Redis server do the work (`density team worker`); run the command again to continue it',
  );
}

/** Threads of this process, or the workers of a Redis server. */
async function opened<Question extends FileQuestion, Result>(
  kind: FileKind,
  sessions: NamedSessions,
  redis: string | undefined,
): Promise<FileAnswers<Question, Result>> {
  if (redis === undefined) {
    // One thread per processor, but not more than there are files.
    const threads = Math.max(1, Math.min(availableParallelism(), sessions.files.length));
    return new FileThreads(threads, workerFile(kind));
  }
  const { FleetFiles } = await import('../../fleet/batch/fleet-files.ts');
  const onNobody = (): void => {
    void terminal().notes.print('No worker is connected. Start one: density team worker --redis <url>\n');
  };
  return FleetFiles.open({ url: redis, kind, onNobody });
}

/** What a command takes that was given no name. */
type UnnamedSessions = () => Promise<NamedSessions>;

/** The newest session of this folder's project, else of this computer. @throws CompressionStrategyError `SESSION_UNKNOWN` if there is none. */
export const latestSession: UnnamedSessions = async () => namedSessions([await sessionPath(LATEST)]);

async function listedSessions(filter: SessionFilter): Promise<NamedSessions> {
  const [{ foundSessions }, { fittingSessions }] = await Promise.all([
    import('../../sessions/places/session-places.ts'),
    import('./filter/fitting-sessions.ts'),
  ]);
  const found = foundSessions().filter(({ problem }) => problem === undefined);
  if (found.length === 0) {
    throw new CompressionStrategyError(
      'Expected sessions on this computer, but none was found. Name files or folders; `density doctor` lists the folders that were searched.',
      'SESSION_UNKNOWN',
    );
  }
  const files = fittingSessions(found, filter).map(({ path }) => path);
  const words = filterWords(filter);
  if (files.length === 0) {
    throw new CompressionStrategyError(
      `Expected sessions that fit ${words}, but none of the ${counted(found.length, 'session')} on this computer does.`,
      'SESSION_UNKNOWN',
    );
  }
  const list = ['density sessions', words].filter(Boolean).join(' ');
  await terminal().notes.print(`${counted(files.length, 'session')} on this computer (\`${printable(list)}\`)\n`);
  return { named: [], files, fromFolders: new Set(files) };
}

/**
 * The names, and what is taken without any: the sessions that `density sessions` lists with this filter; standard error says how many.
 * @throws UsageError for both names and a filter. What is taken throws CompressionStrategyError `SESSION_UNKNOWN` if no session is left.
 */
export function namedOrListed(
  names: readonly string[],
  filter: SessionFilter,
): { readonly names: readonly string[]; readonly unnamed: UnnamedSessions } {
  const words = filterWords(filter);
  if (names.length > 0 && words !== '') {
    throw new UsageError(
      `Expected names of sessions or ${words}, got both: a filter chooses among the sessions that \`density sessions\` lists.`,
    );
  }
  return { names, unnamed: () => listedSessions(filter) };
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
