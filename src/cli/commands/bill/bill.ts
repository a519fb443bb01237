import { type Command, Option } from 'commander';
import type { FileCuts } from '../../../lab/cuts/file-cuts.ts';
import type { BilledFile } from '../../../lab/files/billed-file.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import { type SessionFilter, sessionFilterOptions } from '../../options/filter/session-filter.ts';
import { namedOrListed, onFileAnswers, type RedisOption, redisOption } from '../../options/on-file-answers.ts';
import { BILL_GROUPS } from './bill-groups.ts';
import type { BillOptions } from './bill-report.ts';

interface BillCommandOptions extends BillOptions, SessionFilter, RedisOption {
  readonly compactions?: boolean;
}

/** Starts the threads before it imports the report, so that both load at the same time. */
function bill(names: readonly string[], options: BillCommandOptions): Promise<void> {
  const sessions = { ...options, ...namedOrListed(names, options) };
  return options.compactions
    ? onFileAnswers<FileQuestion, FileCuts>('compactions', sessions, async (named, threads) =>
        (await import('./compactions-report.ts')).printCompactions(named, options, threads),
      )
    : onFileAnswers<FileQuestion, BilledFile>('bill', sessions, async (named, threads) =>
        (await import('./bill-report.ts')).printBill(named, options, threads),
      );
}

/** `density bill`: what recorded sessions cost. */
export function defineBill(command: Command): void {
  command
    .description(
      'Shows what sessions cost, from the usage that is recorded in them: what the money was spent on, and why input was not read from the prompt cache. With --compactions: what each compaction and clearing by an agent cost, and which removed text later events needed. Without a name it takes all that `density sessions` lists. Changes nothing and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .addOption(new Option('--by <what>', 'print one row for each of these').choices(BILL_GROUPS).default('model'))
    .addOption(new Option('--compactions', "show what agents' own compactions cost and lost instead").conflicts('by'))
    .option('--json', 'one JSON object per line')
    .action(bill);
  redisOption(sessionFilterOptions(command));
}
