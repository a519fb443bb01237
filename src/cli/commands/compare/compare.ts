import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { fileStatus } from '../../../disk/file-status.ts';
import { ComparisonThreads } from '../../../lab/comparison-threads.ts';
import type { CompareOptions } from './compare-policies.ts';

/** One for each processor; one alone where no more than a file is named. */
function threadsFor(named: readonly string[]): number {
  const isFolder = named.some((name) => fileStatus(name)?.isDirectory());
  return isFolder ? availableParallelism() : Math.min(availableParallelism(), named.length);
}

/** The threads load what they need beside this one: nothing that only the comparison needs is loaded before. */
async function compare(named: readonly string[], options: CompareOptions): Promise<void> {
  const threads = new ComparisonThreads(threadsFor(named));
  try {
    const { comparePolicies } = await import('./compare-policies.ts');
    await comparePolicies(named, options, threads);
  } finally {
    await threads.close();
  }
}

/** `density compare`: policies side by side over many sessions. */
export function defineCompare(command: Command): void {
  command
    .description(
      'Plays recorded sessions under several policies, named sets of settings, on all processors, and sets side by side what each saves, what of it later events needed with no visible copy left (regrets), and what the calls cost with a prefix cache. Changes no session and asks no model.',
    )
    .argument('<session...>', 'session files, and folders with sessions of any known format')
    .option('--policies <file>', 'a JSON object, by name the settings of each policy (default: the usual ones)')
    .option('--policy <name>', 'only this one of them; may be given again', (name, names: readonly string[] = []) => [
      ...names,
      name,
    ])
    .option('--results <file>', 'keep what is done in this file, and go on from it next time')
    .option('-o, --output <file>', 'also draw it as one HTML page; - is standard output, without the table')
    .option('--force', 'replace the output file if there is one')
    .option('--json', 'one JSON object per line, for each session, with every regret')
    .action(compare);
}
