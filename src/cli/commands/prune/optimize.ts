import type { Command } from 'commander';
import { getCompressionStrategy } from '../../../strategies/index.ts';
import { UsageError } from '../../terminal/terminal.ts';
import { type OptimizeOptions, optimizeOptions } from './optimize-options.ts';
import { writeSmaller } from './smaller-session.ts';

/** @throws UsageError if a model would be asked for nothing, or has an address but no name. */
function assertAsked({ model, baseUrl, strategy, start }: OptimizeOptions): void {
  if (baseUrl !== undefined && model === undefined) throw new UsageError('Expected --model with --base-url, got none.');
  if (model === undefined || start || strategy === undefined || getCompressionStrategy(strategy).requiresLLM) return;
  throw new UsageError(`Expected no --model with --strategy ${strategy}: it asks none.`);
}

async function optimize(named: string | undefined, options: OptimizeOptions): Promise<void> {
  assertAsked(options);
  if (options.start) return (await import('./start/start.ts')).startSession(named, options);
  if (options.model !== undefined && options.strategy === undefined)
    return (await import('./summarised-session.ts')).writeSummarised(named, { ...options, model: options.model });
  return writeSmaller(named, options);
}

/** `density optimize`: a session without old, stale or repeated text. */
export function defineOptimize(command: Command): void {
  optimizeOptions(
    command.description(
      'Makes a session smaller: writes it again, in its own format, without old, stale or repeated text. The old session does not change, and `density restore` brings the text back. Only --model sends the session anywhere: to that model, for a summary.',
    ),
  ).action(optimize);
}
