import { closeSync, openSync, unlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CompressionStrategyError, codeOf } from '../errors.ts';
import { batched } from './batched.ts';
import { reasonOf } from './reason-of.ts';
import { type TemporaryFile, temporaryBeside, temporaryFile } from './temporary-file.ts';

function failed(file: string, cause: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected to write ${file}, but ${reasonOf(cause)}. No partial file was left.`,
    'OUTPUT_FAILED',
    { cause },
  );
}

/** A file that appears under its name only when it is complete. */
export interface PendingFile {
  /** Puts it in its place. @throws CompressionStrategyError `OUTPUT_EXISTS`, `OUTPUT_FAILED` */
  commit(): Promise<void>;
  /** Removes it; does nothing after `commit`. */
  discard(): Promise<void>;
}

/**
 * Checks before long work that `pendingFile` can write there, by writing and removing a file. Permissions alone are not
 * enough: they do not stop a superuser, and other things can.
 * @throws CompressionStrategyError `OUTPUT_FAILED`
 */
export function assertWritable(file: string): void {
  const temporary = temporaryBeside(file);
  try {
    closeSync(openSync(temporary, 'wx'));
    unlinkSync(temporary);
  } catch (error) {
    throw failed(file, error);
  }
}

const asOutputFailure = (file: string, error: unknown): CompressionStrategyError =>
  error instanceof CompressionStrategyError ? error : failed(file, error);

async function placeNew(temporary: TemporaryFile, file: string): Promise<void> {
  try {
    await temporary.placeNew();
  } catch (error) {
    // Some file systems have no hard links.
    if (codeOf(error) !== 'EEXIST') return temporary.replace();
    throw new CompressionStrategyError(
      `Expected a file that does not exist yet, but ${file} appeared meanwhile. Use --force to replace it.`,
      'OUTPUT_EXISTS',
    );
  }
}

/**
 * Writes all pieces beside `file` under a temporary name, as `temporaryFile` does.
 * @throws CompressionStrategyError `OUTPUT_FAILED`, and whatever making the pieces throws; nothing is left then.
 */
export async function pendingFile(
  file: string,
  pieces: Iterable<Uint8Array>,
  { mode, mayReplace }: { readonly mode: number; readonly mayReplace: boolean },
): Promise<PendingFile> {
  const temporary = await temporaryFile(file, pieces, { mode }).catch((error) => {
    throw asOutputFailure(file, error);
  });
  return {
    async commit() {
      try {
        if (mayReplace) await temporary.replace();
        else await placeNew(temporary, file);
      } catch (error) {
        await temporary.discard();
        throw asOutputFailure(file, error);
      }
    },
    discard: temporary.discard,
  };
}

/** Writes to something that has no name to be replaced: a device, a pipe. @throws CompressionStrategyError `OUTPUT_FAILED` */
export async function writeDevice(device: string, pieces: Iterable<Uint8Array>): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(device, 'w');
    for (const piece of batched(pieces)) await handle.writeFile(piece);
  } catch (error) {
    throw asOutputFailure(device, error);
  } finally {
    await handle?.close().catch(() => {});
  }
}
