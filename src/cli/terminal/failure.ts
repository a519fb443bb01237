import { CommanderError } from 'commander';
import { CompressionStrategyError, codeOf, type ErrorCode, messageOf } from '../../errors.ts';
import { printable } from './printable.ts';
import { terminal } from './terminal.ts';

const WRONG_USAGE: ReadonlySet<ErrorCode> = new Set([
  'USAGE',
  'UNKNOWN_STRATEGY',
  'SETTING_UNKNOWN',
  'SETTING_INVALID',
  'PROFILE_UNKNOWN',
  'PROVIDER_UNKNOWN',
]);

/** A wrong command line; exit code 2. */
export class UsageError extends CompressionStrategyError {
  constructor(message: string) {
    super(message, 'USAGE');
  }
}

/** The start of every error message. */
export const failurePrefix = (): string => terminal().notes.colors.red('density:');

/** A message after the prefix, its lines broken at blanks on a terminal. What it quotes may be anything. */
async function failureText(message: string): Promise<string> {
  const { columns, stream } = terminal().notes;
  // Most commands end without a message.
  const { wrapped } = await import('./text-width.ts');
  const lines = `density: ${message}`.split('\n').map(printable);
  return (stream.isTTY ? lines.map((line) => wrapped(line, columns)) : lines)
    .join('\n')
    .replace(/^density:/, failurePrefix());
}

const isDebug = (): boolean => process.argv.includes('--debug');

function exitCodeOf(error: unknown): number {
  return error instanceof CompressionStrategyError && WRONG_USAGE.has(error.code) ? 2 : 1;
}

/** True for what the system refused: a full disk, a port in use, a folder that is missing. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && 'errno' in error && 'syscall' in error && codeOf(error) !== undefined;

function messageFor(error: unknown): string {
  if (error instanceof CompressionStrategyError) return error.message;
  if (isOfSystem(error)) return `The system refused it: ${messageOf(error)}.`;
  return `This is a bug: ${messageOf(error)}. Run the command again with --debug and report the output.`;
}

/**
 * Prints the error on standard error and sets the exit code: 2 for wrong usage, else 1. `--debug` adds the stack trace.
 * A closed reader (`| head`) is not a failure.
 */
export async function reportFailure(error: unknown): Promise<void> {
  // The parser has printed its message already. Help and version end here too, with code 0.
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  if (codeOf(error) === 'EPIPE') return;
  process.exitCode = Math.max(Number(process.exitCode ?? 0), exitCodeOf(error));
  const { notes } = terminal();
  const stack = isDebug() && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  try {
    await notes.print(`${await failureText(messageFor(error))}${stack}\n`);
  } catch {
    // Standard error is closed; the exit code remains.
  }
}
