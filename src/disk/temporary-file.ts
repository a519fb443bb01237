import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, chown, type FileHandle, link, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { batched } from './batched.ts';
import { beforeSignals } from './before-signals.ts';
import { OWNER_FILE_MODE } from './owner-only.ts';

/** A name beside `file`, on the same file system. */
export const temporaryBeside = (file: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);

/** A complete file under a temporary name. It is removed when a signal ends the process. Every method throws the system's error. */
export interface TemporaryFile {
  /** Gives it its name; a file of that name is replaced. */
  replace(): Promise<void>;
  /** Gives it its name; a file of that name is never replaced: `EEXIST`. */
  placeNew(): Promise<void>;
  /** Removes it; does nothing once it has its name. */
  discard(): Promise<void>;
}

interface TemporaryOptions {
  readonly mode: number;
  /** The loop yields to others after about this many bytes. */
  readonly batchBytes?: number;
  /** False: the system may write it later. */
  readonly isSynced?: boolean;
}

/**
 * Writes all pieces beside `file` under a temporary name. The first piece is made before any file is created, and the
 * loop yields between batches, so an interrupt is handled at once and leaves no file.
 * @throws the system's error, and the errors of the iterable; no file is left then.
 */
export async function temporaryFile(
  file: string,
  pieces: Iterable<Uint8Array>,
  { mode, batchBytes, isSynced = true }: TemporaryOptions,
): Promise<TemporaryFile> {
  const temporary = temporaryBeside(file);
  let handle: FileHandle | undefined;
  /** Present while there is a file to remove. */
  let release: (() => void) | undefined;
  const settled = (): void => {
    release?.();
    release = undefined;
  };
  const discard = async (): Promise<void> => {
    await handle?.close().catch(() => {});
    handle = undefined;
    if (release === undefined) return;
    await unlink(temporary).catch(() => {});
    settled();
  };
  const create = async (): Promise<FileHandle> => {
    release = beforeSignals(() => rmSync(temporary, { force: true }));
    return open(temporary, 'wx', mode);
  };
  try {
    for (const piece of batched(pieces, batchBytes)) {
      handle ??= await create();
      await handle.writeFile(piece);
    }
    handle ??= await create();
    if (isSynced) await handle.sync();
    await handle.close();
    handle = undefined;
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    async replace() {
      await rename(temporary, file);
      settled();
    },
    async placeNew() {
      // Unlike `rename`, a link never replaces a file of that name.
      await link(temporary, file);
      await unlink(temporary);
      settled();
    },
    discard,
  };
}

/** Pieces are made while they are written: small batches let other work run between them. */
const BATCH_BYTES = 64 * 1024;

/**
 * Writes a file that has its name only when it is complete, readable by its owner alone.
 * @throws the system's error, `EEXIST` when there is such a file already: it is never replaced.
 */
export async function writeNewFile(file: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const temporary = await temporaryFile(file, pieces, { mode: OWNER_FILE_MODE, batchBytes: BATCH_BYTES });
  try {
    await temporary.placeNew();
  } finally {
    await temporary.discard();
  }
}

/**
 * Writes `text` as a whole file, or leaves what was there. A link stays a link. Without `mode` the file keeps the mode and the
 * owner that it has.
 * @throws the system's error; no temporary file is left then.
 */
export async function replaceFile(
  file: string,
  text: string | Uint8Array,
  { mode, isSynced = true }: { readonly mode?: number; readonly isSynced?: boolean } = {},
): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const before = mode === undefined ? await stat(target).catch(() => undefined) : undefined;
  const temporary = await temporaryFile(target, [Buffer.from(text)], { mode: mode ?? before?.mode ?? 0o666, isSynced });
  try {
    await temporary.replace();
  } finally {
    await temporary.discard();
  }
  if (before === undefined) return;
  // Not with the system's umask, which may hold back a part of the mode.
  await chmod(target, before.mode);
  if (before.uid !== process.getuid?.()) await chown(target, before.uid, before.gid);
}
