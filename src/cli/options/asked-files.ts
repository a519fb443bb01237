import { CompressionStrategyError } from '../../errors.ts';
import type { FileAnswers, FileQuestion } from '../../lab/files/file-answers.ts';
import { startProgress } from '../terminal/progress.ts';
import { reportFailure, terminal, UsageError } from '../terminal/terminal.ts';
import { largestFirst, type NamedSessions, type SkippedFile, skippedNote } from './named-sessions.ts';

interface Asking<Question extends FileQuestion, Result> {
  readonly threads: FileAnswers<Question, Result>;
  /** What is done, for the progress bar. */
  readonly label: string;
  readonly question: (file: FileQuestion) => Question;
  /** True if a call counts once, in whichever files it is. */
  readonly countsCalls?: true;
  /** The result of a file that is not asked about again. */
  readonly known?: (file: FileQuestion) => Result | undefined;
  /** Called with each new result, in no order. */
  readonly onResult?: (result: Result, file: FileQuestion) => void;
}

/** The results of files, sorted by path. */
interface AskedFiles<Result> {
  readonly results: readonly Result[];
  /** Files of folders without a readable session. */
  readonly skipped: number;
}

/**
 * Asks threads about each file. Standard error shows the progress, which files of folders were skipped, and why a named file
 * failed.
 * @throws UsageError if no session is left.
 */
export async function askedFiles<Question extends FileQuestion, Result extends { readonly path: string }>(
  { named, files, fromFolders }: NamedSessions,
  { threads, label, question, countsCalls, known, onResult }: Asking<Question, Result>,
): Promise<AskedFiles<Result>> {
  const results: Result[] = [];
  const skipped: SkippedFile[] = [];
  const progress = startProgress(label, files.length, 'files');
  let done = 0;
  try {
    const chosen = countsCalls && files.filter((file) => !fromFolders.has(file));
    const byPath = new Map<string, FileQuestion>();
    for (const file of await fileQuestions(largestFirst(files), { threads, chosen })) {
      const result = known?.(file);
      if (result === undefined) byPath.set(file.path, file);
      else results.push(result);
    }
    done = results.length;
    await threads.ask([...byPath.values()].map(question), async (outcome) => {
      done++;
      if ('result' in outcome) {
        results.push(outcome.result);
        onResult?.(outcome.result, byPath.get(outcome.path)!);
      } else if (fromFolders.has(outcome.path) && outcome.error instanceof CompressionStrategyError) {
        skipped.push({ path: outcome.path, error: outcome.error });
      } else {
        progress.clear();
        // One name, one message.
        if (files.length === 1) throw outcome.error;
        await reportFailure(outcome.error);
      }
      progress.update(done);
    });
  } finally {
    progress.stop();
  }
  results.sort((one, other) => (one.path < other.path ? -1 : 1));
  if (skipped.length > 0) await terminal().notes.print(skippedNote(skipped));
  if (results.length === 0)
    throw new UsageError(
      `Expected a readable session, got none in ${named.length === 0 ? 'any file' : named.join(', ')}. \`density sessions\` lists those of this computer.`,
    );
  return { results, skipped: skipped.length };
}

/**
 * The questions about files, with what the data folder says of each. `chosen`: those of them that were named, where a call counts once,
 * in the session that made it, also where that one is not among the files.
 */
export async function fileQuestions<Question extends FileQuestion>(
  files: readonly string[],
  {
    threads,
    chosen,
  }: { readonly threads: FileAnswers<Question, unknown>; readonly chosen?: readonly string[] | undefined },
): Promise<readonly FileQuestion[]> {
  // Imported late: the threads load meanwhile.
  const [{ copiedIn, withRelatives }, { sentKeys }] = await Promise.all([
    import('../../lab/files/copied-in.ts'),
    import('../../sessions/prompts/conversation-files.ts'),
  ]);
  const copied = chosen && (await copiedIn(withRelatives(files, chosen), threads));
  const sentKey = sentKeys();
  return files.map((path) => {
    const runs = copied?.get(path);
    const sent = sentKey(path);
    return { path, ...(runs && { copied: runs }), ...(sent !== undefined && { sent }) };
  });
}
