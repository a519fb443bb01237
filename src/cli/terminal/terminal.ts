import { fstatSync, writeFileSync } from 'node:fs';
import type { CommanderError } from 'commander';
import picocolors from 'picocolors';
import { readOr } from '../../content/foreign-value.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { CompressionStrategyError, codeOf, type ErrorCode, messageOf } from '../../errors.ts';

type Colors = ReturnType<typeof picocolors.createColors>;

/** An output stream and how a command may write to it. */
export interface Screen {
  readonly stream: NodeJS.WriteStream;
  readonly colors: Colors;
  /** 80 at most: longer lines of prose are hard to read. */
  readonly columns: number;
  /** All of them, for a table with columns of text. */
  readonly allColumns: number;
  /** True on a terminal that can draw over a line. */
  readonly isLive: boolean;
  /** True with `--plain`: words and numbers only. */
  readonly isPlain: boolean;
  /** Resolves when the text is written. @throws CompressionStrategyError `OUTPUT_FAILED`, or the stream's own `EPIPE`. */
  print(text: string | Uint8Array): Promise<void>;
}

const WIDEST_COLUMNS = 80;
const NARROWEST_COLUMNS = 40;

type Standard = NodeJS.WriteStream & { readonly fd: number };

/** What a command was started with. */
export interface CommandLine {
  /** The words after the name of the program. */
  readonly words: readonly string[];
  readonly out: Standard;
  readonly err: Standard;
}

let line: CommandLine = { words: process.argv.slice(2), out: process.stdout, err: process.stderr };
let screens: { readonly out: Screen; readonly notes: Screen } | undefined;

/** From here on, `terminal()` is the streams of this command line. */
export function startCommandLine(started: CommandLine): void {
  line = started;
  screens = undefined;
}

const wantsPlain = (): boolean => line.words.includes('--plain');

/** https://no-color.org, https://force-color.org: any value but the empty one counts. */
function wantsColor(stream: NodeJS.WriteStream): boolean {
  if (wantsPlain()) return false;
  if (process.env['NO_COLOR']) return false;
  if (process.env['FORCE_COLOR']) return process.env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && process.env['TERM'] !== 'dumb';
}

function screen(stream: Standard): Screen {
  // Without a terminal the variable may say how wide the reader is.
  const allColumns = Math.max(NARROWEST_COLUMNS, stream.columns || Number(process.env['COLUMNS']) || WIDEST_COLUMNS);
  // A failed write reports to its callback. Without this listener it would end the process first.
  stream.on('error', () => {});
  return {
    stream,
    colors: picocolors.createColors(wantsColor(stream)),
    columns: Math.min(WIDEST_COLUMNS, allColumns),
    allColumns,
    isLive: stream.isTTY === true && process.env['TERM'] !== 'dumb' && !wantsPlain(),
    isPlain: wantsPlain(),
    print: readOr(() => fstatSync(stream.fd).isFile(), false)
      ? async (text) => printToFile(stream.fd, text)
      : (text) => printToStream(stream, text),
  };
}

/** Writes all of it. The stream that Node makes of a file reports no error where a full disk takes only a part. */
function printToFile(fd: number, text: string | Uint8Array): void {
  try {
    writeFileSync(fd, text);
  } catch (error) {
    throw printFailure(error as Error);
  }
}

const printToStream = (stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(printFailure(error)) : resolve()));
  });

/** Keeps `EPIPE` for the caller and explains every other error. */
function printFailure(error: Error): Error {
  if (codeOf(error) === 'EPIPE') return error;
  return new CompressionStrategyError(`Expected to write the output, but ${reasonOf(error)}.`, 'OUTPUT_FAILED', {
    cause: error,
  });
}

/** Standard output for results and standard error for everything else. */
export function terminal(): { readonly out: Screen; readonly notes: Screen } {
  screens ??= { out: screen(line.out), notes: screen(line.err) };
  return screens;
}

/** `text` with control characters, which a terminal would act on, replaced by `·`. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, '·');

/** For a shell, where it needs quotes. */
export const quoted = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Prints each of these values as one line of JSON on standard output. @throws as `Screen.print` */
export const printJson = (...values: readonly unknown[]): Promise<void> =>
  terminal().out.print(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

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
  const { wrapped } = await import('./columns.ts');
  const lines = `density: ${message}`.split('\n').map(printable);
  return (stream.isTTY ? lines.map((line) => wrapped(line, columns)) : lines)
    .join('\n')
    .replace(/^density:/, failurePrefix());
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
  if (String(codeOf(error)).startsWith('commander.')) {
    process.exitCode = (error as CommanderError).exitCode === 0 ? 0 : 2;
    return;
  }
  if (codeOf(error) === 'EPIPE') return;
  const isUsage = error instanceof CompressionStrategyError && WRONG_USAGE.has(error.code);
  process.exitCode = Math.max(Number(process.exitCode ?? 0), isUsage ? 2 : 1);
  const { notes } = terminal();
  const stack = line.words.includes('--debug') && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  try {
    await notes.print(`${await failureText(messageFor(error))}${stack}\n`);
  } catch {
    // Standard error is closed; the exit code remains.
  }
}
