import type { Command } from 'commander';
import { DENSITY_SETTINGS, policyOptions } from './policy-options.ts';
import { type SmallerCommandOptions, smallerOptions, writeSmaller } from './smaller-session.ts';

/** `density optimize`: the session without what is stale or repeated. */
export function addOptimizeCommand(program: Command): void {
  const command = program
    .command('optimize')
    .summary('write a session without what is stale or repeated')
    .description(
      'Writes the session again, in its own format, without what is stale or repeated: reads of files that were written later, attached files that were attached again. No model is asked; what is taken out is kept in a transcript.',
    )
    .argument('<session>', 'a session file of a format that can be written');
  policyOptions(smallerOptions(command), ['compression.engine', ...DENSITY_SETTINGS]).action(
    (file: string, options: SmallerCommandOptions) => writeSmaller(file, options, { compress: false }),
  );
}
