import type { Command } from 'commander';
import { PRUNING_SETTINGS } from '../../options/setting-options.ts';
import { summarizerOptions } from '../../options/summarizer.ts';
import { defineSmaller } from './smaller-session.ts';

/** `density optimize`: the session without old, stale or repeated text. */
export function defineOptimize(command: Command): void {
  defineSmaller(command, {
    description:
      'Writes the session again, in its own format, without old, stale or repeated text. By default it mostly removes results from more than three model calls ago. It also removes reads of files that were written later, and lines that are shown again. Asks no model. A transcript keeps the removed entries.',
    settings: ['compression.engine', ...PRUNING_SETTINGS],
    compress: false,
  });
}

/** `density compress`: the session as a strategy compresses it at the threshold. */
export function defineCompress(command: Command): void {
  defineSmaller(command, {
    description:
      'Writes the session again, in its own format, optimised and then compressed by a strategy, even below the threshold. Asks a model only for the strategies that need one, and only with --provider. A transcript keeps the removed entries.',
    settings: [
      'compression.strategy',
      'compression-threshold',
      'compression-preserve-threshold',
      'compression.engine',
      ...PRUNING_SETTINGS,
    ],
    compress: true,
  });
  summarizerOptions(command);
}
