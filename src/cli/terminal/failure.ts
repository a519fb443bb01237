import { CommanderError } from 'commander';
import { CompressionStrategyError, codeOf, type ErrorCode, messageOf } from '../../errors.ts';
import { terminal } from './terminal.ts';

const WRONG_USAGE: ReadonlySet<ErrorCode> = new Set([
  'USAGE',
  'UNKNOWN_STRATEGY',
  'SETTING_UNKNOWN',
  'SETTING_INVALID',
  'PROFILE_UNKNOWN',
  'PROVIDER_UNKNOWN',
]);

/** A command line that cannot be meant that way; ends with exit code 2. */
export class UsageError extends CompressionStrategyError {
  constructor(message: string) {
    super(message, 'USAGE');
  }
}

/** What every message about a failure starts with. */
export const failurePrefix = (): string => terminal().notes.colors.red('density:');

const isDebug = (): boolean => process.argv.includes('--debug');

function exitCodeOf(error: unknown): number {
  return error instanceof CompressionStrategyError && WRONG_USAGE.has(error.code) ? 2 : 1;
}

function toldOf(error: unknown): string {
  if (error instanceof CompressionStrategyError) return error.message;
  return `Something went wrong that should not: ${messageOf(error)}. Run it again with --debug and report what it prints.`;
}

/**
 * Says on standard error what went wrong and sets the exit code: 2 for wrong usage, 1 for everything else. Stack
 * traces only with --debug. A reader that went away (`| head`) is no failure.
 */
export async function reportFailure(error: unknown): Promise<void> {
  // The parser has said everything already; help and version end here as well, with code 0.
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  if (codeOf(error) === 'EPIPE') return;
  process.exitCode = Math.max(Number(process.exitCode ?? 0), exitCodeOf(error));
  const { notes } = terminal();
  const stack = isDebug() && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  try {
    await notes.print(`${failurePrefix()} ${toldOf(error)}${stack}\n`);
  } catch {
    // Standard error is gone: the exit code still tells.
  }
}
