import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ComparedFile, ComparisonQuestion } from '../../../lab/compared-file.ts';
import { type SessionFilter, sessionFilterOptions } from '../../options/filter/session-filter.ts';
import { namedOrListed, onFileAnswers, type RedisOption, redisOption } from '../../options/on-file-answers.ts';
import { forceOption, openOption } from '../../output/output-target.ts';
import type { CompareOptions } from './compare-policies.ts';
import type { SaveOptions } from './saved-profile.ts';

type CompareCommandOptions = CompareOptions & Omit<SaveOptions, 'name'> & SessionFilter & RedisOption;

const MAX_PERCENT = 50;

function parsePercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent > 0 && percent <= MAX_PERCENT) return percent;
  throw new InvalidArgumentError(`Expected a number of percent above 0 and at most ${MAX_PERCENT}.`);
}

/** Starts the threads before it imports the comparison, so that both load at the same time. */
const compare = (
  names: readonly string[],
  options: CompareCommandOptions & { readonly save?: string },
): Promise<void> =>
  onFileAnswers<ComparisonQuestion, ComparedFile>(
    'compare',
    { ...options, ...namedOrListed(names, options) },
    async (sessions, threads) => {
      const { save: name } = options;
      if (name === undefined)
        return (await import('./compare-policies.ts')).compareProfiles(sessions, options, threads);
      return (await import('./saved-profile.ts')).saveProfile(sessions, { ...options, name }, threads);
    },
  );

/** `density compare`: compares profiles over many sessions. */
export function defineCompare(command: Command): void {
  command
    .description(
      'Plays recorded sessions under several profiles (named sets of settings). Compares how much each profile saves, which removed text later events needed (regrets), and what the calls cost. With --save: chooses a profile on one half of the sessions, and saves it only if it is better than `recommended` on the other half too. Without a name it takes all sessions that `density sessions` lists. Changes no session and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .option('--policies <file>', 'a JSON object: the settings of each profile by its name (default: the usual ones)')
    .option(
      '--policy <name>',
      'compare only this profile; you can repeat the option',
      (name, names: readonly string[] = []) => [...names, name],
    )
    .option('--results <file>', 'keep finished sessions in this file, to continue from')
    .option('-o, --output <file>', 'also write one HTML page; - is standard output, without the table')
    .addOption(
      new Option('--save <name>', 'choose a profile for these sessions, and save it under this name').conflicts([
        'policies',
        'policy',
        'results',
        'output',
        'open',
      ]),
    )
    .option(
      '--at-most <percent>',
      'with --save: share of edits that may need removed text, at 95% confidence',
      parsePercent,
      1,
    )
    .option('--json', 'one JSON object per line; with --save one object')
    .action(compare);
  redisOption(sessionFilterOptions(openOption(forceOption(command))));
}
