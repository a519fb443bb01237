import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import type { FileReader, FileReadOptions } from '../contract.ts';

const CHUNK_BYTES = 64 * 1024;
/** A link is never followed and a pipe without a writer never waited for, whatever took the file's place meanwhile. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'a directory';
  if (status.isFIFO()) return 'a pipe';
  if (status.isSocket()) return 'a socket';
  if (status.isSymbolicLink()) return 'a link';
  return 'a device';
}

function assertRegular(status: Stats, file: string): void {
  if (!status.isFile()) throw new TypeError(`Expected a file at ${file}, got ${kindOf(status)}.`);
}

function tooLarge(file: string, limitBytes: number): RangeError {
  return new RangeError(`Expected at most ${limitBytes} bytes in ${file}, got more.`);
}

/** What is in the file now, which may be more or less than its status said. */
async function bytesOf(handle: FileHandle, file: string, { limitBytes, signal }: FileReadOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return Buffer.concat(chunks, size);
    size += bytesRead;
    if (size > limitBytes) throw tooLarge(file, limitBytes);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** Whether the open file is still the one that its path leads to: folders may have become links since it was checked. */
async function assertUnmoved(opened: Stats, file: string): Promise<void> {
  const [now, real] = [await lstat(file), await realpath(file)];
  if (real === file && now.ino === opened.ino && now.dev === opened.dev) return;
  throw new Error(`Expected ${file} to stay where it is while it is read.`);
}

/** Text, whole, of a regular file. Its path holds no links any more. */
async function read(file: string, options: FileReadOptions): Promise<string> {
  assertRegular(await lstat(file), file);
  const handle = await open(file, OPEN_FLAGS);
  try {
    const status = await handle.stat();
    assertRegular(status, file);
    if (status.size > options.limitBytes) throw tooLarge(file, options.limitBytes);
    await assertUnmoved(status, file);
    const bytes = await bytesOf(handle, file, options);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } finally {
    await handle.close().catch(() => {});
  }
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

/**
 * Reads text files from disk, by paths in which every link is resolved. Refuses what is no regular file without opening
 * it, and what is not UTF-8 or larger than asked for.
 */
export const workspaceReader: FileReader = { read, exists };
