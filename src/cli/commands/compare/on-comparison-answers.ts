import type { ComparedFile, ComparisonQuestion } from '../../../lab/compared-file.ts';
import type { FileAnswers } from '../../../lab/files/file-answers.ts';
import type { SessionFilter } from '../../options/filter/session-filter.ts';
import type { NamedSessions } from '../../options/named-sessions.ts';
import { onFileAnswers, type RedisOption } from '../../options/on-file-answers.ts';
import { namedOrListed } from '../../options/unnamed-sessions.ts';

/** What plays sessions under policies. */
export type ComparisonAnswers = FileAnswers<ComparisonQuestion, ComparedFile>;

/** Runs `work` with the named sessions, else all that are listed, and with what plays them. */
export const onComparisonAnswers = (
  names: readonly string[],
  { redis, ...filter }: RedisOption & SessionFilter,
  work: (sessions: NamedSessions, answers: ComparisonAnswers) => Promise<void>,
): Promise<void> =>
  onFileAnswers('compare', { ...namedOrListed(names, filter), ...(redis !== undefined && { redis }) }, work);
