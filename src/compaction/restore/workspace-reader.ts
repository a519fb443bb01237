import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { counted } from '../../content/counted.ts';
import type { FileReader, FileReadOptions } from '../contract.ts';

const CHUNK_BYTES = 64 * 1024;
/** Never follows a link and never waits for a pipe, even if one replaced the file meanwhile. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const KINDS: readonly (readonly [kind: string, isOne: (status: Stats) => boolean])[] = [
  ['a directory', (status) => status.isDirectory()],
  ['a pipe', (status) => status.isFIFO()],
  ['a socket', (status) => status.isSocket()],
  ['a link', (status) => status.isSymbolicLink()],
];

function assertRegular(status: Stats, file: string): void {
  if (status.isFile()) return;
  const [kind = 'a device'] = KINDS.find(([, isOne]) => isOne(status)) ?? [];
  throw new TypeError(`Expected a file at ${file}, got ${kind}.`);
}

function tooLarge(file: string, limitBytes: number): RangeError {
  return new RangeError(`Expected at most ${counted(limitBytes, 'byte')} in ${file}, got more.`);
}

/** The current content of the file, whose size may differ from its status. */
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

/** Throws if the open file is not at its path any more: a folder may have become a link since the check. */
async function assertUnmoved(opened: Stats, file: string): Promise<void> {
  const now = await lstat(file);
  const real = await realpath(file);
  if (real === file && now.ino === opened.ino && now.dev === opened.dev) return;
  throw new Error(`Expected ${file} to keep its path during the read, but it was moved or replaced.`);
}

/** The whole text of a regular file. Its path contains no links. */
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
 * Reads text files from disk, by paths without links. Rejects what is not a regular file, without opening it, and what is
 * not UTF-8 or too large.
 */
export const workspaceReader: FileReader = { read, exists };
