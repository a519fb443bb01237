import { availableParallelism } from 'node:os';
import { copiedIn, withRelatives } from '../../../lab/files/copied-in.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import { FileThreads } from '../../../lab/files/file-threads.ts';
import { workerFile } from '../../../threads/worker-file.ts';
import type { NamedSessions } from '../named-sessions.ts';

/** The calls of sessions that other sessions own, by path; read on threads, which start only if there are others. */
export async function copiedHere({ files, fromFolders }: Pick<NamedSessions, 'files' | 'fromFolders'>) {
  const all = withRelatives(
    files,
    files.filter((file) => !fromFolders.has(file)),
  );
  if (all.length < 2) return undefined;
  const threads = new FileThreads<FileQuestion, unknown>(
    Math.min(availableParallelism(), all.length),
    workerFile('replay'),
  );
  try {
    return await copiedIn(all, threads);
  } finally {
    await threads.close();
  }
}
