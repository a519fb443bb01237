import type { Command } from 'commander';
import type { ComparedFile, ComparisonQuestion } from '../../../lab/compared-file.ts';
import { type SessionFilter, sessionFilterOptions } from '../../options/filter/session-filter.ts';
import { namedOrListed, onFileAnswers, type RedisOption, redisOption } from '../../options/on-file-answers.ts';
import { forceOption, openOption } from '../../output/output-target.ts';
import type { CompareOptions } from './compare-policies.ts';

/** Starts the threads before it imports the comparison, so that both load at the same time. */
const compare = (names: readonly string[], options: CompareOptions & SessionFilter & RedisOption): Promise<void> =>
  onFileAnswers<ComparisonQuestion, ComparedFile>(
    'compare',
    { ...options, ...namedOrListed(names, options) },
    async (sessions, threads) => (await import('./compare-policies.ts')).compareProfiles(sessions, options, threads),
  );

/** `density compare`: compares profiles over many sessions. */
export function defineCompare(command: Command): void {
  command
    .description(
      'Plays recorded sessions under several profiles (named sets of settings) on all processors. Compares how much each profile saves, which removed text later events needed (regrets), and what the calls cost with a prompt cache. Without a name it takes all sessions that `density sessions` lists. Changes no session and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .option('--policies <file>', 'a JSON object: the settings of each profile by its name (default: the usual ones)')
    .option(
      '--policy <name>',
      'compare only this profile; you can repeat the option',
      (name, names: readonly string[] = []) => [...names, name],
    )
    .option('--results <file>', 'keep finished sessions in this file and continue from it next time')
    .option('-o, --output <file>', 'also write one HTML page; - is standard output, without the table')
    .option('--json', 'one JSON object per line, for each session, with every regret')
    .action(compare);
  redisOption(sessionFilterOptions(openOption(forceOption(command))));
}
