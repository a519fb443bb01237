import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { fileStatus } from '../../../disk/file-status.ts';
import { ComparisonThreads } from '../../../lab/comparison-threads.ts';
import { sessionPath } from '../../options/session-path.ts';
import { forceOption, openOption } from '../../output/output-options.ts';
import type { CompareOptions } from './compare-policies.ts';

/** One thread per processor, but not more than there are files. */
function threadsFor(named: readonly string[]): number {
  const isFolder = named.some((name) => fileStatus(name)?.isDirectory());
  return isFolder ? availableParallelism() : Math.min(availableParallelism(), named.length);
}

/** Starts the threads before it imports the comparison, so that both load at the same time. */
async function compare(names: readonly string[], options: CompareOptions): Promise<void> {
  const named = await Promise.all(names.map((name) => sessionPath(name)));
  const threads = new ComparisonThreads(threadsFor(named));
  try {
    const { comparePolicies } = await import('./compare-policies.ts');
    await comparePolicies(named, options, threads);
  } finally {
    await threads.close();
  }
}

/** `density compare`: compares policies over many sessions. */
export function defineCompare(command: Command): void {
  command
    .description(
      'Plays recorded sessions under several policies (named sets of settings) on all processors. Compares what each policy saves, what later events needed after it was removed (regrets), and what the calls cost with a prompt cache. Changes no session and asks no model.',
    )
    .argument('<session...>', 'session files or their ids, and folders with sessions of any known format')
    .option('--policies <file>', 'a JSON object: the settings of each policy by its name (default: built-in policies)')
    .option('--policy <name>', 'only this policy; can be repeated', (name, names: readonly string[] = []) => [
      ...names,
      name,
    ])
    .option('--results <file>', 'keep finished sessions in this file and continue from it next time')
    .option('-o, --output <file>', 'also write one HTML page; - is standard output, without the table')
    .option('--json', 'one JSON object per line, for each session, with every regret')
    .action(compare);
  openOption(forceOption(command));
}
