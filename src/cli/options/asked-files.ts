import { CompressionStrategyError } from '../../errors.ts';
import type { FileAnswers, FileQuestion } from '../../lab/files/file-answers.ts';
import { reportFailure, UsageError } from '../terminal/failure.ts';
import { startProgress } from '../terminal/progress.ts';
import { terminal } from '../terminal/terminal.ts';
import { largestFirst, type NamedSessions, type SkippedFile, skippedNote } from './named-sessions.ts';

interface Asking<Question extends FileQuestion, Result> {
  readonly threads: FileAnswers<Question, Result>;
  /** What is done, for the progress bar. */
  readonly label: string;
  readonly question: (path: string) => Question;
  /** Results of files that are not asked about again. */
  readonly known?: readonly Result[];
  /** Called with each new result, in no order. */
  readonly onResult?: (result: Result) => void;
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
  { threads, label, question, known = [], onResult }: Asking<Question, Result>,
): Promise<AskedFiles<Result>> {
  const results = [...known];
  const answered = new Set(known.map(({ path }) => path));
  const skipped: SkippedFile[] = [];
  const progress = startProgress(label, files.length, 'sessions');
  let done = known.length;
  try {
    const left = largestFirst(files.filter((file) => !answered.has(file)));
    await threads.ask(left.map(question), async (outcome) => {
      done++;
      if ('result' in outcome) {
        results.push(outcome.result);
        onResult?.(outcome.result);
      } else if (fromFolders.has(outcome.path) && outcome.error instanceof CompressionStrategyError) {
        skipped.push({ path: outcome.path, error: outcome.error });
      } else {
        progress.clear();
        await reportFailure(outcome.error);
      }
      progress.update(done);
    });
  } finally {
    progress.stop();
  }
  results.sort((one, other) => (one.path < other.path ? -1 : 1));
  if (skipped.length > 0) await terminal().notes.print(skippedNote(skipped));
  if (results.length === 0) throw new UsageError(`Expected at least one session, got none in ${named.join(', ')}.`);
  return { results, skipped: skipped.length };
}
