import { type Command, InvalidArgumentError } from 'commander';
import type { ComparedFile, ComparisonQuestion } from '../../../lab/compared-file.ts';
import { type SessionFilter, sessionFilterOptions } from '../../options/filter/session-filter.ts';
import { namedOrListed, onFileAnswers, type RedisOption, redisOption } from '../../options/on-file-answers.ts';
import type { TuneOptions } from './tuned-profile.ts';

const MAX_PERCENT = 50;

function parsePercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent > 0 && percent <= MAX_PERCENT) return percent;
  throw new InvalidArgumentError(`Expected a number of percent above 0 and at most ${MAX_PERCENT}.`);
}

const tune = (names: readonly string[], options: TuneOptions & SessionFilter & RedisOption): Promise<void> =>
  onFileAnswers<ComparisonQuestion, ComparedFile>(
    'compare',
    { ...options, ...namedOrListed(names, options) },
    async (sessions, threads) => (await import('./tuned-profile.ts')).tuneProfile(sessions, options, threads),
  );

/** `density tune`: a profile for the sessions of a user. */
export function defineTune(command: Command): void {
  command
    .description(
      'Chooses a profile for your agent, your model and your work. Plays your recorded sessions under several profiles on all processors. Chooses the cheapest profile on one half of the sessions, and saves it only if it is better than `recommended` on the other half too. Without a name it plays all that `density sessions` lists. Changes no session and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .option('--name <name>', 'the name of the saved profile', 'tuned')
    .option('--at-most <percent>', 'share of edits that may need removed text, at 95% confidence', parsePercent, 1)
    .option('--dry-run', 'save nothing')
    .option('--force', 'replace the profile if there is one')
    .option('--json', 'one JSON object instead of text')
    .action(tune);
  redisOption(sessionFilterOptions(command));
}
