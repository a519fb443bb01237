import { type Command, Option } from 'commander';
import type { BilledFile } from '../../../lab/files/billed-file.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import { type SessionFilter, sessionFilterOptions } from '../../options/filter/session-filter.ts';
import { namedOrListed, onFileAnswers, type RedisOption, redisOption } from '../../options/on-file-answers.ts';
import { BILL_GROUPS } from './bill-groups.ts';
import type { BillOptions } from './bill-report.ts';

/** Starts the threads before it imports the report, so that both load at the same time. */
const bill = (names: readonly string[], options: BillOptions & SessionFilter & RedisOption): Promise<void> =>
  onFileAnswers<FileQuestion, BilledFile>(
    'bill',
    { ...options, ...namedOrListed(names, options) },
    async (sessions, threads) => (await import('./bill-report.ts')).printBill(sessions, options, threads),
  );

/** `density bill`: what recorded sessions cost. */
export function defineBill(command: Command): void {
  command
    .description(
      'Shows what sessions cost, from the usage that is recorded in them: input, cached input, output, and why input was not read from the prompt cache. Without a name it takes all that `density sessions` lists. Changes nothing and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .addOption(new Option('--by <what>', 'print one row for each of these').choices(BILL_GROUPS).default('model'))
    .option('--json', 'one JSON object per line, for each row')
    .action(bill);
  redisOption(sessionFilterOptions(command));
}
