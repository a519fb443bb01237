import type { Command } from 'commander';
import { DENSITY_SETTINGS, policyOptions } from './policy-options.ts';
import { type SmallerCommandOptions, smallerOptions, writeSmaller } from './smaller-session.ts';
import { summarizerOptions } from './summarizer.ts';

/** `density compress`: the session as a strategy leaves it at the threshold. */
export function addCompressCommand(program: Command): void {
  const command = program
    .command('compress')
    .summary('write a session as a strategy leaves it at the threshold')
    .description(
      'Writes the session again, in its own format, optimised and then compressed by a strategy, whether or not it has reached the threshold. A model is asked only by the strategies that need one, and only with --provider; what is taken out is kept in a transcript.',
    )
    .argument('<session>', 'a session file of a format that can be written');
  policyOptions(summarizerOptions(smallerOptions(command)), [
    'compression.strategy',
    'compression-threshold',
    'compression-preserve-threshold',
    'compression.engine',
    ...DENSITY_SETTINGS,
  ]).action((file: string, options: SmallerCommandOptions) => writeSmaller(file, options, { compress: true }));
}
