import type { Command } from 'commander';
import { PRUNING_SETTINGS } from '../../options/policy-options.ts';
import { defineSmaller } from './smaller-session.ts';

/** `density optimize`: the session without what is stale or repeated. */
export function defineOptimize(command: Command): void {
  defineSmaller(command, {
    description:
      'Writes the session again, in its own format, without what is stale or repeated: reads of files that were written later, attached files that were attached again. No model is asked; what is taken out is kept in a transcript.',
    settings: ['compression.engine', ...PRUNING_SETTINGS],
    compress: false,
  });
}
