import path from 'node:path';
import { counted, grouped } from '../../content/counted.ts';
import { deadlineSignal, raced } from '../../deadline.ts';
import { messageOf } from '../../errors.ts';
import type {
  CompactOptions,
  FileReader,
  Logger,
  MessageLike,
  RestoredFiles,
  RestoreOptions,
  WrittenMessage,
} from '../contract.ts';
import { textTokens } from '../counting/message-counter.ts';
import { type CompactSettings, DEFAULT_SUMMARY_MODEL } from '../settings.ts';
import { containedPath, realPathOf } from './contained-path.ts';
import { type FileRead, fileReads, restoredMessage } from './file-reads.ts';
import { workspaceReader } from './workspace-reader.ts';

/** The number of files that are read concurrently: a few more than are restored by default. */
const PARALLEL_FILES = 8;
/** The time for all files, so that a file system that does not respond delays the turn only by seconds. */
const DEADLINE_MS = 5_000;
/** The longest token: a file with more bytes than this per allowed token is not read. */
const LONGEST_TOKEN_BYTES = 256;
/** The longest string. */
const MAX_BYTES = 2 ** 28;

/** A file with a known real path. */
interface Candidate extends FileRead {
  readonly realPath: string;
}

interface Reading {
  readonly fileReader: FileReader;
  readonly logger: Logger | undefined;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** The first files inside the folder, each once: two names of one file, by links or by case, are one. */
async function candidatesOf(
  reads: readonly FileRead[],
  { maxFiles, workDir, logger }: { maxFiles: number; workDir: string; logger: Logger | undefined },
): Promise<Candidate[]> {
  const folder = { workDir, realWorkDir: await realPathOf(workDir) };
  const found = new Map<string, Candidate>();
  let taken = 0;
  for (const read of reads) {
    if (taken >= maxFiles) break;
    const place = await containedPath(read.path, folder);
    if (place.kind === 'refused') {
      taken++;
      logger?.warn(`Not restored: ${read.spelled}: ${place.reason}.`);
    } else if (!found.has(place.realPath)) {
      taken++;
      found.set(place.realPath, { ...read, realPath: place.realPath });
    }
  }
  return [...found.values()];
}

/** The text of a file; `undefined`, with one warning, if it cannot be restored. */
async function textOf(
  file: Candidate,
  { fileReader, logger, limitBytes, signal }: Reading,
): Promise<string | undefined> {
  const skip = (reason: string): undefined => {
    logger?.warn(`Not restored: ${file.spelled}: ${reason}.`);
    return undefined;
  };
  try {
    if (!(await raced(fileReader.exists(file.realPath), signal))) return skip('it does not exist any more');
    const text = await raced(fileReader.read(file.realPath, { limitBytes, signal }), signal);
    return text.includes('\0') ? skip('it is a binary file') : text;
  } catch (error) {
    return skip(signal.aborted ? 'reading it took too long' : `it cannot be read (${messageOf(error)})`);
  }
}

/**
 * The most recently read files with their current content, in that order. Only files whose real path is inside `workDir`, by
 * segments; each is opened once. A file that cannot be restored is skipped with a warning.
 * @throws the reason of `signal`, nothing else. Source: PRD, F-005; docs/readings.md, row 24.
 */
export async function restoreRecentFiles(
  messages: readonly MessageLike[],
  options: RestoreOptions,
): Promise<RestoredFiles> {
  const { maxRestoreFiles, maxRestoreTokensPerFile, maxRestoreTokensTotal, logger, signal } = options;
  signal?.throwIfAborted();
  const none: RestoredFiles = { messages: [], totalTokens: 0 };
  if (maxRestoreFiles <= 0) return none;
  const workDir = path.resolve(options.workDir);
  const reads = fileReads(messages, { workDir, readTools: options.readTools });
  if (reads.length === 0) return none;
  const deadline = deadlineSignal(DEADLINE_MS, {
    signals: [signal],
    message: `Restoring took longer than ${DEADLINE_MS / 1000} s.`,
  });
  const reading: Reading = {
    fileReader: options.fileReader,
    logger,
    limitBytes: Math.min(MAX_BYTES, (maxRestoreTokensPerFile + 1) * LONGEST_TOKEN_BYTES),
    signal: deadline.signal,
  };
  const model = options.model ?? DEFAULT_SUMMARY_MODEL;
  const restored: WrittenMessage[] = [];
  let totalTokens = 0;
  try {
    const candidates = await raced(candidatesOf(reads, { maxFiles: maxRestoreFiles, workDir, logger }), reading.signal);
    for (let start = 0; start < candidates.length; start += PARALLEL_FILES) {
      const files = candidates.slice(start, start + PARALLEL_FILES);
      const texts = await Promise.all(files.map((file) => textOf(file, reading)));
      for (const [index, text] of texts.entries()) {
        if (text === undefined) continue;
        const { spelled } = files[index]!;
        const tokens = await textTokens(text, model);
        if (tokens > maxRestoreTokensPerFile) {
          logger?.warn(
            `Not restored: ${spelled}: it has ${counted(tokens, 'token')}; at most ${grouped(maxRestoreTokensPerFile)} are restored.`,
          );
          continue;
        }
        if (totalTokens + tokens > maxRestoreTokensTotal) return { messages: restored, totalTokens };
        totalTokens += tokens;
        restored.push(restoredMessage(spelled, text));
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    logger?.warn(`Some files were not restored: ${messageOf(error)}.`);
  } finally {
    deadline.clear();
  }
  signal?.throwIfAborted();
  return { messages: restored, totalTokens };
}

/** `restoreRecentFiles` with the settings and options of a compaction. */
export function filesToRestore(
  messages: readonly MessageLike[],
  { settings, options }: { settings: CompactSettings; options: CompactOptions },
): Promise<RestoredFiles> {
  const { fileReader = workspaceReader, logger, readTools, signal } = options;
  return restoreRecentFiles(messages, {
    ...settings,
    fileReader,
    model: settings.summaryModel,
    ...(logger && { logger }),
    ...(readTools && { readTools }),
    ...(signal && { signal }),
  });
}
