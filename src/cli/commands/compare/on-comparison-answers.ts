import type { ComparedFile, ComparisonQuestion } from '../../../lab/compared-file.ts';
import type { FileAnswers } from '../../../lab/files/file-answers.ts';
import { onFileAnswers, type RedisOption } from '../../options/on-file-answers.ts';

/** What plays sessions under policies. */
export type ComparisonAnswers = FileAnswers<ComparisonQuestion, ComparedFile>;

/** Runs `work` with the paths of the named sessions and folders, and with what plays them. */
export const onComparisonAnswers = (
  names: readonly string[],
  options: RedisOption,
  work: (named: readonly string[], answers: ComparisonAnswers) => Promise<void>,
): Promise<void> => onFileAnswers('compare', names, options, work);
