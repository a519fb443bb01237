import { fstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { readOr } from '../../content/foreign-value.ts';
import type { FileBytes } from '../../disk/file-bytes.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { assertWritable } from '../../disk/pending-file.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { CompressionStrategyError, codeOf } from '../../errors.ts';
import { printable, type Screen, terminal } from '../terminal/terminal.ts';

/** Where output is written: standard output, a device, or a file that is replaced as a whole. */
export type OutputTarget =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'device'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly mayReplace: boolean };

function refusal(message: string, code: 'OUTPUT_EXISTS' | 'OUTPUT_FAILED'): CompressionStrategyError {
  return new CompressionStrategyError(message, code);
}

/** True for `/dev/stdout` and other names of standard output. */
function isStandardOutput({ dev, ino }: Stats): boolean {
  const standard = readOr(() => fstatSync(1), undefined);
  return standard?.dev === dev && standard.ino === ino;
}

/** The end of a chain of symbolic links whose file does not exist yet. The chain has no circle. */
function endOfLinks(file: string): string {
  const next = readOr(() => readlinkSync(file), undefined);
  return next === undefined ? file : endOfLinks(path.resolve(path.dirname(file), next));
}

/**
 * Checks `-o <out>` before any work starts. Follows symbolic links.
 * @throws CompressionStrategyError `OUTPUT_EXISTS` if the file exists and `force` is false; `OUTPUT_FAILED` for a folder, a
 * missing or read-only folder, or the input itself.
 */
export function outputTarget(out: string, input: Pick<FileBytes, 'mode' | 'identity'>, force: boolean): OutputTarget {
  if (out === '-') return { kind: 'stdout' };
  let status: Stats | undefined;
  try {
    status = statSync(out, { throwIfNoEntry: false });
  } catch (cause) {
    // Node 20 throws where a file is in place of a folder; later versions find nothing there.
    if (codeOf(cause) !== 'ENOTDIR')
      throw refusal(`Expected a place to write to at ${out}, but ${reasonOf(cause)}.`, 'OUTPUT_FAILED');
  }
  if (status === undefined) {
    const file = endOfLinks(path.resolve(out));
    const folder = path.dirname(file);
    const there = fileStatus(folder);
    if (!there?.isDirectory()) {
      const instead = there === undefined ? `but there is no folder ${folder}. Create it first.` : `got ${folder}.`;
      throw refusal(`Expected a folder to write to, ${instead}`, 'OUTPUT_FAILED');
    }
    assertWritable(file);
    return { kind: 'file', path: file, mode: input.mode | 0o200, mayReplace: false };
  }
  if (status.isDirectory()) {
    throw refusal(`Expected a file to write to, got the folder ${out}. Name a file in it.`, 'OUTPUT_FAILED');
  }
  if (isStandardOutput(status)) return { kind: 'stdout' };
  if (!status.isFile()) return { kind: 'device', path: out };
  if (`${status.dev}:${status.ino}` === input.identity) {
    throw refusal(
      `Expected a file other than the session itself, got ${out}. A session never changes in place; name a new file.`,
      'OUTPUT_FAILED',
    );
  }
  if (!force) {
    throw refusal(
      `Expected a file that does not exist yet, but ${out} does. Use --force to replace it.`,
      'OUTPUT_EXISTS',
    );
  }
  const file = realpathSync(out);
  assertWritable(file);
  return { kind: 'file', path: file, mode: status.mode & 0o777, mayReplace: true };
}

/** Where a command prints its report: standard error if its output is standard output. */
export const reportScreen = ({ kind }: OutputTarget): Screen => (kind === 'stdout' ? terminal().notes : terminal().out);

/** The line of a report that names the output; empty for `-`. */
export const writtenLine = (output: string, { colors }: Screen): string =>
  output === '-' ? '' : `${colors.dim('written to')} ${printable(output)}\n`;

/** Adds `--force`. */
export function forceOption(command: Command): Command {
  return command.option('--force', 'replace the output file if there is one');
}

/** Adds `--open`. */
export function openOption(command: Command): Command {
  return command.option('--open', 'open the page in the default browser');
}

/** Adds `-o`, which is required unless it is said not to be, and `--force`. */
export function outputOptions(command: Command, isRequired = true): Command {
  const output = new Option('-o, --output <file>', 'the file to write; - is standard output');
  return forceOption(command.addOption(output.makeOptionMandatory(isRequired)));
}
