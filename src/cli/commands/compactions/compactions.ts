import type { Command } from 'commander';
import type { FileCuts } from '../../../lab/cuts/file-cuts.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import { latestSession, onFileAnswers, type RedisOption, redisOption } from '../../options/on-file-answers.ts';

/** Starts the threads before it imports the report, so that both load at the same time. */
const compactions = (names: readonly string[], options: RedisOption & { readonly json?: boolean }): Promise<void> =>
  onFileAnswers<FileQuestion, FileCuts>(
    'compactions',
    { ...options, names, unnamed: latestSession },
    async (sessions, threads) => (await import('./compactions-report.ts')).printCompactions(sessions, options, threads),
  );

/** `density compactions`: what agents cut from their own context. */
export function defineCompactions(command: Command): void {
  command
    .description(
      'Shows each compaction and clearing that an agent made in its own context: tokens before and after, the price of writing the cache again, and the removed text that later events needed. Without a name it takes the latest session. Changes nothing and asks no model.',
    )
    .argument('[session...]', 'session files or their ids, and folders with sessions of any known format')
    .option('--json', 'one JSON object per line, for each compaction or clearing, with every regret')
    .action(compactions);
  redisOption(command);
}
