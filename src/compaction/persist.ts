import { randomUUID } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { raced } from '../deadline.ts';
import { makeOwnerFolder } from '../disk/owner-only.ts';
import { writeNewFile } from '../disk/temporary-file.ts';
import { codeOf } from '../errors.ts';
import { hasLongText } from '../history/tokens/long-text.ts';
import type { FileWriter, Logger, MessageLike } from './contract.ts';
import { noteMissing, removeMade } from './made-folders.ts';

/** The most names that are tried, because other processes may use some. */
const MAX_NAMES = 1_000;
const FILE_NAME = /^compact-.*-(\d+)\.json$/;

/** By session folder: the last sequence of this process, for all writers. Source: docs/readings.md, row 44. */
const sequences = new Map<string, number>();

export interface PersistOptions {
  readonly outputDir: string;
  readonly sessionId: string;
  readonly fileWriter: FileWriter | undefined;
  readonly logger: Logger | undefined;
  readonly signal: AbortSignal;
  readonly now: Date;
}

/** The file with the original messages. */
export interface PersistedMessages {
  readonly path: string;
  /** Removes the file, if possible, because nothing was compacted. */
  discard(): Promise<void>;
}

/** A session id as the name of one folder, so that it cannot lead out of the output folder. */
function folderName(sessionId: string): string {
  const name = sessionId.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(0, 100);
  return /^\.+$/.test(name) ? '_' : name;
}

/** ISO 8601 to the second, without colons, which some file systems reject. */
const timestampOf = (now: Date): string => `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** A longer text is written in pieces of this size, because escaping it at once would block the thread. */
const PIECE_UNITS = 64 * 1024;
/** The level at which results contain text. */
const SEARCH_DEPTH = 8;

function* escapedText(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE_UNITS);
    // A surrogate pair is not split: each half would be escaped.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
}

/** `JSON.stringify(message, null, 2)` in pieces. */
function* messageJson(message: MessageLike): Generator<string> {
  if (!hasLongText(message, SEARCH_DEPTH, PIECE_UNITS)) {
    yield JSON.stringify(message, null, 2) ?? 'null';
    return;
  }
  const placeholder = randomUUID();
  const texts: string[] = [];
  const withPlaceholders = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length <= PIECE_UNITS) return value;
    texts.push(value);
    return placeholder;
  };
  for (const [index, piece] of JSON.stringify(message, withPlaceholders, 2).split(placeholder).entries()) {
    if (index > 0) yield* escapedText(texts[index - 1]!);
    yield piece;
  }
}

/** `JSON.stringify(messages, null, 2)` in pieces, so that memory contains no second copy. */
export function* indentedJson(messages: readonly MessageLike[]): Generator<string> {
  if (messages.length === 0) {
    yield '[]';
    return;
  }
  for (const [index, message] of messages.entries()) {
    yield `${index === 0 ? '[' : ','}\n  `;
    for (const piece of messageJson(message)) yield piece.replaceAll('\n', '\n  ');
  }
  yield '\n]';
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function lastSequence(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return names.reduce((last, name) => Math.max(last, Number(FILE_NAME.exec(name)?.[1] ?? 0)), 0);
}

/** The next sequence of a folder, above `last`. */
function takeSequence(folder: string, last: number): number {
  const key = path.resolve(folder);
  const sequence = Math.max(last, sequences.get(key) ?? 0) + 1;
  sequences.set(key, sequence);
  return sequence;
}

async function writeTo(file: string, messages: readonly MessageLike[], writer: FileWriter | undefined): Promise<void> {
  if (writer === undefined) {
    const folder = path.dirname(file);
    await noteMissing(folder);
    try {
      await makeOwnerFolder(folder);
      return await writeNewFile(file, encoded(indentedJson(messages)));
    } catch (error) {
      await removeMade(folder);
      throw error;
    }
  }
  let text = '';
  for (const piece of indentedJson(messages)) text += piece;
  await writer.write(file, text);
}

/**
 * Writes the messages, as indented JSON, to `<outputDir>/<sessionId>/compact-<time>-<sequence>.json`. The sequence starts at
 * 1 in each session; no file is ever replaced. `undefined`, with one logged error, if they cannot be written.
 * @throws the reason of `signal`, nothing else. Source: docs/requirements.md, F-007.
 */
export async function persistMessages(
  messages: readonly MessageLike[],
  { outputDir, sessionId, fileWriter, logger, signal, now }: PersistOptions,
): Promise<PersistedMessages | undefined> {
  const folder = path.join(outputDir, folderName(sessionId));
  const time = timestampOf(now);
  try {
    const last = fileWriter === undefined ? await lastSequence(folder) : 0;
    for (let names = 1; ; names++) {
      const sequence = takeSequence(folder, last);
      const file = path.join(folder, `compact-${time}-${sequence}.json`);
      try {
        const writing = writeTo(file, messages, fileWriter);
        await raced(writing, signal).catch((error: unknown) => {
          // Aborted during the write: the file must not exist afterwards.
          if (signal.aborted)
            void writing.then(
              () => discard(file, fileWriter),
              () => {},
            );
          throw error;
        });
        return { path: file, discard: () => discard(file, fileWriter) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST' || names >= MAX_NAMES) throw error;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    logger?.error(
      `The original messages could not be written to ${folder}; the compaction continues without that file.`,
      error,
    );
    return undefined;
  }
}

/** Removes a file and the folders that were made for it; a writer of the caller cannot remove its file. */
async function discard(file: string, writer: FileWriter | undefined): Promise<void> {
  if (writer !== undefined) return;
  await unlink(file).catch(() => {});
  await removeMade(path.dirname(file));
}
