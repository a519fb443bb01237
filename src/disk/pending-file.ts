import { randomBytes } from 'node:crypto';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CompressionStrategyError, codeOf } from '../errors.ts';
import { batched } from './batched.ts';
import { reasonOf } from './file-bytes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Temporary files that exist now and must not outlive the process. */
const temporaries = new Set<string>();

function removeTemporaries(): void {
  for (const file of temporaries) {
    try {
      unlinkSync(file);
    } catch {
      // Already gone.
    }
  }
  temporaries.clear();
}

/** Removes what is half-written, then ends the way the signal would have ended the process. */
function onSignal(signal: NodeJS.Signals): void {
  removeTemporaries();
  for (const name of SIGNALS) process.removeListener(name, onSignal);
  process.kill(process.pid, signal);
}

/** Signals end the process at once, as ever, unless there is something to clean up. */
function track(file: string): void {
  if (temporaries.size === 0) for (const name of SIGNALS) process.on(name, onSignal);
  temporaries.add(file);
}

function untrack(file: string): void {
  temporaries.delete(file);
  if (temporaries.size === 0) for (const name of SIGNALS) process.removeListener(name, onSignal);
}

function failed(file: string, cause: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected to write ${file}, but ${reasonOf(cause)}. Nothing was left behind.`,
    'OUTPUT_FAILED',
    { cause },
  );
}

/** A file that appears under its name only when it is complete. */
export interface PendingFile {
  /** Puts it in its place. @throws CompressionStrategyError `OUTPUT_EXISTS`, `OUTPUT_FAILED` */
  commit(): Promise<void>;
  /** Takes it away; does nothing after `commit`. */
  discard(): Promise<void>;
}

/** A name beside `file`, on the same file system. */
const temporaryBeside = (file: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);

/**
 * Tries whether `pendingFile` could write there, so that nobody waits for work that has no place to go. Asking for
 * permissions would not tell: they stop no superuser, other things do. Leaves nothing.
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

async function putInPlace(temporary: string, file: string, mayReplace: boolean): Promise<void> {
  if (mayReplace) return rename(temporary, file);
  try {
    // Unlike `rename`, a link never replaces a file that appeared meanwhile.
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new CompressionStrategyError(
        `Expected a file that does not exist yet, but ${file} appeared meanwhile. Use --force to replace it.`,
        'OUTPUT_EXISTS',
      );
    }
    return rename(temporary, file);
  }
  await unlink(temporary);
}

/**
 * Writes all pieces beside `file` under a temporary name. The first piece is asked for before anything is created, and
 * the loop yields between batches, so that an interrupt is acted on at once and leaves nothing.
 * @throws CompressionStrategyError `OUTPUT_FAILED`, and whatever making the pieces throws; nothing is left then.
 */
export async function pendingFile(
  file: string,
  pieces: Iterable<Uint8Array>,
  options: { readonly mode: number; readonly mayReplace: boolean },
): Promise<PendingFile> {
  const temporary = temporaryBeside(file);
  let handle: FileHandle | undefined;
  const discard = async (): Promise<void> => {
    await handle?.close().catch(() => {});
    handle = undefined;
    if (!temporaries.has(temporary)) return;
    await unlink(temporary).catch(() => {});
    untrack(temporary);
  };
  const create = async (): Promise<FileHandle> => {
    track(temporary);
    return open(temporary, 'wx', options.mode);
  };
  try {
    for (const piece of batched(pieces)) {
      handle ??= await create();
      await handle.writeFile(piece);
    }
    handle ??= await create();
    await handle.sync();
    await handle.close();
    handle = undefined;
  } catch (error) {
    await discard();
    throw error instanceof CompressionStrategyError ? error : failed(file, error);
  }
  return {
    async commit() {
      try {
        await putInPlace(temporary, file, options.mayReplace);
        untrack(temporary);
      } catch (error) {
        await discard();
        throw error instanceof CompressionStrategyError ? error : failed(file, error);
      }
    },
    discard,
  };
}

/** Writes to something that has no name to be replaced: a device, a pipe. @throws CompressionStrategyError `OUTPUT_FAILED` */
export async function writeDevice(device: string, pieces: Iterable<Uint8Array>): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(device, 'w');
    for (const piece of batched(pieces)) await handle.writeFile(piece);
  } catch (error) {
    throw error instanceof CompressionStrategyError ? error : failed(device, error);
  } finally {
    await handle?.close().catch(() => {});
  }
}
