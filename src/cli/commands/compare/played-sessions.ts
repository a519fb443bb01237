import type { ComparedFile, ComparisonQuestion } from '../../../lab/compared-file.ts';
import type { FileAnswers } from '../../../lab/files/file-answers.ts';
import type { ComparedProfile } from '../../../lab/policy.ts';
import { counted } from '../../../report/figures.ts';
import { askedFiles } from '../../options/asked-files.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { UsageError } from '../../terminal/terminal.ts';
import { type ComparisonResults, NOTHING_KEPT } from './comparison-results.ts';

/** What plays sessions under policies. */
export type ComparisonAnswers = FileAnswers<ComparisonQuestion, ComparedFile>;

interface PlayOptions {
  readonly policies: readonly ComparedProfile[];
  readonly threads: ComparisonAnswers;
  /** Sessions that an earlier run has played. */
  readonly results?: ComparisonResults;
}

/** Sessions under each policy, sorted by path. */
export interface PlayedSessions {
  /** The sessions with a call of their own. */
  readonly compared: readonly ComparedFile[];
  /** Calls that are copies of another session's, and count there; also in sessions that are copies as a whole. */
  readonly copiedCalls: number;
  /** Sessions without a call of their own. */
  readonly onlyCopies: number;
  /** Files of folders without a readable session. */
  readonly skipped: number;
  /** Time to play all sessions; `undefined` if some results were kept from an earlier run. */
  readonly tookMs: number | undefined;
}

/**
 * Plays sessions on threads. Standard error shows the progress, which files
 * of folders were skipped, and why a named file failed.
 * @throws UsageError if no session is left that is more than a copy of others.
 */
export async function playedSessions(
  sessions: NamedSessions,
  { policies, threads, results = NOTHING_KEPT }: PlayOptions,
): Promise<PlayedSessions> {
  let known = 0;
  const startedAt = performance.now();
  const { results: played, skipped } = await askedFiles(sessions, {
    threads,
    label: 'comparing',
    question: (file) => ({ ...file, policies }),
    countsCalls: true,
    known: (file) => {
      const kept = results.of(file);
      if (kept) known++;
      return kept;
    },
    onResult: results.keep,
  });
  const compared = played.filter(({ copiedCalls, outcomes }) => copiedCalls === 0 || outcomes[0]!.calls > 0);
  const copiedCalls = played.reduce((sum, file) => sum + file.copiedCalls, 0);
  if (compared.length === 0)
    throw new UsageError(
      `Expected a session with calls of its own, got ${counted(copiedCalls, 'call')} that are copies of calls in other sessions of the same folder. Name those.`,
    );
  const onlyCopies = played.length - compared.length;
  return { compared, copiedCalls, onlyCopies, skipped, tookMs: known > 0 ? undefined : performance.now() - startedAt };
}
