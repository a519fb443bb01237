import type { ComparedFile } from '../../../lab/compared-file.ts';
import type { ComparedProfile } from '../../../lab/policy.ts';
import { askedFiles } from '../../options/asked-files.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { type ComparisonResults, NOTHING_KEPT } from './comparison-results.ts';
import type { ComparisonAnswers } from './on-comparison-answers.ts';

interface PlayOptions {
  readonly policies: readonly ComparedProfile[];
  readonly threads: ComparisonAnswers;
  /** Sessions that an earlier run has played. */
  readonly results?: ComparisonResults;
}

/** Sessions under each policy, sorted by path. */
export interface PlayedSessions {
  readonly compared: readonly ComparedFile[];
  /** Files of folders without a readable session. */
  readonly skipped: number;
  /** Time to play all sessions; `undefined` if some results were kept from an earlier run. */
  readonly tookMs: number | undefined;
}

/**
 * Plays sessions on threads. Standard error shows the progress, which files
 * of folders were skipped, and why a named file failed.
 * @throws UsageError if no session is left.
 */
export async function playedSessions(
  sessions: NamedSessions,
  { policies, threads, results = NOTHING_KEPT }: PlayOptions,
): Promise<PlayedSessions> {
  const known = sessions.files.flatMap((file) => results.of(file) ?? []);
  const startedAt = performance.now();
  const { results: compared, skipped } = await askedFiles(sessions, {
    threads,
    label: 'comparing',
    question: (path) => ({ path, policies }),
    known,
    onResult: (file) => results.keep(file),
  });
  return { compared, skipped, tookMs: known.length > 0 ? undefined : performance.now() - startedAt };
}
