import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { counted, grouped } from '../content/counted.ts';
import { CompressionStrategyError } from '../errors.ts';
import { databaseAt, databaseDocument } from './opencode-database/database-session.ts';
import { reasonOf } from './reason-of.ts';
import { READ_FLAGS } from './regular-file.ts';
import { storedSession } from './stored-session.ts';

const CHUNK_BYTES = 1 << 20;

/** A file as it was when it was opened, readable in chunks any number of times. Bytes appended later are left out. */
export interface FileBytes {
  readonly path: string;
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
  /** Device and inode: two paths with equal identity are one file. */
  readonly identity: string;
  /** For a session in a database: the path of the database. The bytes are those of one moment; it may have grown since. */
  readonly database?: string;
  chunks(onProgress?: (doneBytes: number) => void): Iterable<Uint8Array>;
}

/** The error for a file that cannot be read, with the reason. */
export function unreadable(path: string, cause: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected a file that can be read at ${path}, but ${reasonOf(cause)}.`,
    'SESSION_UNREADABLE',
    { cause },
  );
}

function openedFile(path: string): number {
  try {
    return openSync(path, READ_FLAGS);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function opened<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openedFile(path);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readOrThrow(descriptor: number, chunk: Uint8Array, position: number, path: string): number {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, position);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function chunkAt(descriptor: number, doneBytes: number, { path, sizeBytes }: Pick<FileBytes, 'path' | 'sizeBytes'>) {
  // A new buffer each time: lines are views into it and are kept.
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, sizeBytes - doneBytes));
  const readBytes = readOrThrow(descriptor, chunk, doneBytes, path);
  if (readBytes > 0) return chunk.subarray(0, readBytes);
  throw new CompressionStrategyError(
    `Expected ${counted(sizeBytes, 'byte')} in ${path}, got ${grouped(doneBytes)}: it was cut short while it was read. Try again.`,
    'SESSION_UNREADABLE',
  );
}

/** Passes over a file. The first chunk, which is enough to detect the format, is read only once. */
function passesOver(file: Pick<FileBytes, 'path' | 'sizeBytes'>): FileBytes['chunks'] {
  const { path, sizeBytes } = file;
  let first: Uint8Array | undefined;
  return function* chunks(onProgress) {
    if (sizeBytes === 0) return;
    first ??= opened(path, (descriptor) => chunkAt(descriptor, 0, file));
    let doneBytes = first.length;
    onProgress?.(doneBytes);
    yield first;
    if (doneBytes === sizeBytes) return;
    const descriptor = openedFile(path);
    try {
      while (doneBytes < sizeBytes) {
        const chunk = chunkAt(descriptor, doneBytes, file);
        doneBytes += chunk.length;
        onProgress?.(doneBytes);
        yield chunk;
      }
    } finally {
      closeSync(descriptor);
    }
  };
}

/** Bytes that are in memory. */
export function heldBytes(document: Uint8Array): Pick<FileBytes, 'sizeBytes' | 'chunks'> {
  return {
    sizeBytes: document.length,
    *chunks(onProgress) {
      onProgress?.(document.length);
      yield document;
    },
  };
}

/** How the file is encoded, by its byte order mark, if it is not UTF-8: `>` of Windows PowerShell 5.1 writes UTF-16. */
function utf16Of(descriptor: number, path: string): 'utf-16le' | 'utf-16be' | undefined {
  const mark = new Uint8Array(2);
  readOrThrow(descriptor, mark, 0, path);
  if (mark[0] === 0xff && mark[1] === 0xfe) return 'utf-16le';
  return mark[0] === 0xfe && mark[1] === 0xff ? 'utf-16be' : undefined;
}

/** The text of a file in UTF-8, in memory. */
function utf8Of(file: Pick<FileBytes, 'path' | 'sizeBytes'>, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  const parts = [...passesOver(file)()].map((chunk) => encoder.encode(decoder.decode(chunk, { stream: true })));
  return Buffer.concat([...parts, encoder.encode(decoder.decode())]);
}

/**
 * The file at `path`, or its first `sizeBytes`. UTF-16 with a byte order mark is read as UTF-8. A session that its agent keeps in many files, or in a database
 * (`opencode.db#ses_…`, or its newest: `opencode.db`), is read as one document.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` when it is missing, a directory, no regular file or forbidden.
 */
export function fileBytes(path: string, sizeBytes?: number): FileBytes {
  const database = databaseAt(path);
  const { status, utf16 } = opened(database?.file ?? path, (descriptor) => {
    const found = fstatSync(descriptor);
    return { status: found, utf16: found.isFile() ? utf16Of(descriptor, path) : undefined };
  });
  if (!status.isFile()) {
    const what = status.isDirectory() ? 'it is a directory. Name one file in it' : 'it is no regular file';
    throw new CompressionStrategyError(
      `Expected a file that can be read at ${path}, but ${what}.`,
      'SESSION_UNREADABLE',
    );
  }
  const facts = { path, mode: status.mode & 0o777, identity: `${status.dev}:${status.ino}` };
  if (database) {
    const { path: address, document } = databaseDocument(database.file, database.id);
    return { ...facts, path: address, database: database.file, ...heldBytes(document) };
  }
  const stored = storedSession(path);
  if (stored) return { ...facts, ...stored };
  // The size that a caller asks for is one that it was given, in UTF-8.
  if (utf16) return { ...facts, ...heldBytes(utf8Of({ path, sizeBytes: status.size }, utf16).subarray(0, sizeBytes)) };
  const file = { ...facts, sizeBytes: sizeBytes ?? status.size };
  return { ...file, chunks: passesOver(file) };
}
