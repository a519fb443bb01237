import { randomUUID } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { writeNewFile } from '../disk/new-file.ts';
import { makeOwnerFolder } from '../disk/owner-only.ts';
import { codeOf } from '../errors.ts';
import { hasLongText } from '../history/tokens/sliced-count.ts';
import type { FileWriter, Logger } from './contract.ts';
import { raced } from './deadline.ts';
import type { MessageLike } from './message.ts';

/** Names tried before the folder is given up: other processes may take some. */
const MOST_NAMES = 1_000;
const FILE_NAME = /^compact-.*-(\d+)\.json$/;

/** The last sequence of each folder that a writer of the caller's was asked for: what it holds cannot be listed. */
const sequences = new WeakMap<FileWriter, Map<string, number>>();

export interface PersistOptions {
  readonly outputDir: string;
  readonly sessionId: string;
  readonly fileWriter: FileWriter | undefined;
  readonly logger: Logger | undefined;
  readonly signal: AbortSignal;
  readonly now: Date;
}

/** Original messages that were kept. */
export interface Kept {
  readonly path: string;
  /** Takes the file away again, where that is possible: nothing was compacted after all. */
  discard(): Promise<void>;
}

/** A name of one folder, whatever it was: a session cannot lead out of the output folder. */
function folderName(sessionId: string): string {
  const name = sessionId.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(0, 100);
  return /^\.+$/.test(name) ? '_' : name;
}

/** ISO 8601 to the second, without the colons that some file systems refuse. */
const timestampOf = (now: Date): string => `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** A text longer than this is written in pieces of this size, because escaping all of it at once takes long. */
const PIECE_UNITS = 64 * 1024;
/** Texts of results stand this deep. */
const SEARCH_DEPTH = 8;

function* escapedText(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE_UNITS);
    // A character of two units stays whole: each half would be escaped.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
}

/** What `JSON.stringify(message, null, 2)` gives. */
function* messageJson(message: MessageLike): Generator<string> {
  if (!hasLongText(message, SEARCH_DEPTH, PIECE_UNITS)) {
    yield JSON.stringify(message, null, 2) ?? 'null';
    return;
  }
  const mark = randomUUID();
  const texts: string[] = [];
  const withMarks = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length <= PIECE_UNITS) return value;
    texts.push(value);
    return mark;
  };
  for (const [index, piece] of JSON.stringify(message, withMarks, 2).split(mark).entries()) {
    if (index > 0) yield* escapedText(texts[index - 1]!);
    yield piece;
  }
}

/** What `JSON.stringify(messages, null, 2)` gives, piece by piece, so that no two copies stand in memory. */
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
  return Math.max(0, ...names.map((name) => Number(FILE_NAME.exec(name)?.[1] ?? 0)));
}

function takeSequence(writer: FileWriter, folder: string): number {
  const folders = sequences.get(writer) ?? new Map<string, number>();
  sequences.set(writer, folders);
  const sequence = (folders.get(folder) ?? 0) + 1;
  folders.set(folder, sequence);
  return sequence;
}

async function writeTo(file: string, messages: readonly MessageLike[], writer: FileWriter | undefined): Promise<void> {
  if (writer === undefined) {
    await makeOwnerFolder(path.dirname(file));
    return writeNewFile(file, encoded(indentedJson(messages)));
  }
  let text = '';
  for (const piece of indentedJson(messages)) text += piece;
  await writer.write(file, text);
}

/**
 * Keeps the messages, as indented JSON, in `<outputDir>/<sessionId>/compact-<time>-<sequence>.json`; the sequence counts
 * from 1 in each session and no file is ever replaced. Undefined, with one logged error, when they cannot be written.
 * @throws the reason of `signal` alone. Source: docs/requirements.md, F-007.
 */
export async function persistMessages(
  messages: readonly MessageLike[],
  { outputDir, sessionId, fileWriter, logger, signal, now }: PersistOptions,
): Promise<Kept | undefined> {
  const folder = path.join(outputDir, folderName(sessionId));
  const time = timestampOf(now);
  try {
    let sequence = fileWriter === undefined ? (await lastSequence(folder)) + 1 : takeSequence(fileWriter, folder);
    for (let names = 1; ; names++) {
      const file = path.join(folder, `compact-${time}-${sequence}.json`);
      try {
        const writing = writeTo(file, messages, fileWriter);
        await raced(writing, signal).catch((error: unknown) => {
          // Given up while it is written: it must not appear afterwards.
          if (signal.aborted)
            void writing.then(
              () => discard(file, fileWriter),
              () => {},
            );
          throw error;
        });
        return { path: file, discard: () => discard(file, fileWriter) };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST' || names >= MOST_NAMES) throw error;
        sequence = fileWriter === undefined ? sequence + 1 : takeSequence(fileWriter, folder);
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    logger?.error(`The original messages could not be kept in ${folder}; compacting goes on without.`, error);
    return undefined;
  }
}

/** A writer of the caller's cannot take back what it wrote. */
async function discard(file: string, writer: FileWriter | undefined): Promise<void> {
  if (writer === undefined) await unlink(file).catch(() => {});
}
