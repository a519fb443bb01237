import { fstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { type FileBytes, reasonOf } from '../../disk/file-bytes.ts';
import { assertWritable } from '../../disk/pending-file.ts';
import { CompressionStrategyError } from '../../errors.ts';

/** Where a smaller session goes: standard output, something that can only be written to, or a file that is replaced as a whole. */
export type OutputTarget =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'device'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly mayReplace: boolean };

function refusal(message: string, code: 'OUTPUT_EXISTS' | 'OUTPUT_FAILED'): CompressionStrategyError {
  return new CompressionStrategyError(message, code);
}

/** Whether this is where standard output goes: `/dev/stdout` and its like. */
function isStandardOutput({ dev, ino }: Stats): boolean {
  try {
    const standard = fstatSync(1);
    return standard.dev === dev && standard.ino === ino;
  } catch {
    return false;
  }
}

/** Where a chain of symbolic links that leads to no file yet ends. It is no circle. */
function endOfLinks(file: string): string {
  let next: string;
  try {
    next = readlinkSync(file);
  } catch {
    return file;
  }
  return endOfLinks(path.resolve(path.dirname(file), next));
}

/**
 * What `-o <out>` means, before any work is done. A symbolic link stands for what it points to.
 * @throws CompressionStrategyError `OUTPUT_EXISTS` when there is a file and `force` is false; `OUTPUT_FAILED` for a
 * directory, a folder that is missing or takes no file, or the input itself, which is never written to.
 */
export function outputTarget(out: string, input: Pick<FileBytes, 'mode' | 'identity'>, force: boolean): OutputTarget {
  if (out === '-') return { kind: 'stdout' };
  let status: Stats | undefined;
  try {
    status = statSync(out, { throwIfNoEntry: false });
  } catch (cause) {
    throw refusal(`Expected a place to write to at ${out}, but ${reasonOf(cause)}.`, 'OUTPUT_FAILED');
  }
  if (status === undefined) {
    const file = endOfLinks(path.resolve(out));
    const folder = path.dirname(file);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw refusal(
        `Expected a folder to write to, but there is no folder ${folder}. Create it first.`,
        'OUTPUT_FAILED',
      );
    }
    assertWritable(file);
    return { kind: 'file', path: file, mode: input.mode | 0o200, mayReplace: false };
  }
  if (status.isDirectory()) {
    throw refusal(`Expected a file to write to, got the directory ${out}. Name a file in it.`, 'OUTPUT_FAILED');
  }
  if (isStandardOutput(status)) return { kind: 'stdout' };
  if (!status.isFile()) return { kind: 'device', path: out };
  if (`${status.dev}:${status.ino}` === input.identity) {
    throw refusal(
      `Expected another file than the session itself, got ${out}. A session is never changed in place; name a new file.`,
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
