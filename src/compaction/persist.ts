import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { FileWriter, Logger } from './contract.ts';
import { raced } from './deadline.ts';
import type { MessageLike } from './message.ts';
import { writeNewFile } from './new-file.ts';

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

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** A name of one folder, whatever it was: a session cannot lead out of the output folder. */
function folderName(sessionId: string): string {
  const name = sessionId.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(0, 100);
  return /^\.+$/.test(name) ? '_' : name;
}

/** ISO 8601 to the second, without the colons that some file systems refuse. */
const timestampOf = (now: Date): string => `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** What `JSON.stringify(messages, null, 2)` gives, message by message, so that no two copies stand in memory. */
export function* indentedJson(messages: readonly MessageLike[]): Generator<string> {
  if (messages.length === 0) {
    yield '[]';
    return;
  }
  for (const [index, message] of messages.entries()) {
    const text = JSON.stringify(message, null, 2) ?? 'null';
    yield `${index === 0 ? '[' : ','}\n  ${text.replaceAll('\n', '\n  ')}`;
  }
  yield '\n]';
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
  if (writer === undefined) return writeNewFile(file, indentedJson(messages));
  let text = '';
  for (const piece of indentedJson(messages)) text += piece;
  await writer.write(file, text);
}

/**
 * Keeps the messages, as indented JSON, in `<outputDir>/<sessionId>/compact-<time>-<sequence>.json`; the sequence counts
 * from 1 in each session and no file is ever replaced. Undefined, with one logged error, when they cannot be written.
 * @throws the reason of `signal` alone. Source: spec/README.md, F-007.
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
