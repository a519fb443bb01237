import { chmodSync, constants, copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { CompressionStrategyError, codeOf } from '../../errors.ts';
import { beforeSignals } from '../before-signals.ts';
import { filePart } from '../file-part.ts';
import { OWNER_FILE_MODE } from '../owner-only.ts';

/** Copies of a database that keeps changing, at most. */
const MAX_TRIES = 20;
const PAUSE_MS = 25;
/** The header of a write-ahead log; its salts change whenever the log restarts. Source: sqlite.org/fileformat2.html */
const LOG_HEADER_BYTES = 32;

/** Folders of this process, whichever of its threads made them. */
const PREFIX = `high-density-${process.pid}-`;

function removeCopies(): void {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(PREFIX)) rmSync(path.join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Until the returned function is called, a signal that ends the process first removes the copies, including those of its
 * threads, which receive no signals. Call it on the main thread.
 */
export function guardCopies(): () => void {
  const release = beforeSignals(() => removeCopies());
  // A signal that arrived while this thread was busy is delivered before the guard ends.
  return () => void setImmediate(release);
}

function logHeader(file: string): string {
  try {
    return filePart(`${file}-wal`, 0, LOG_HEADER_BYTES).toString('hex');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Changes when pages are moved from the log to the file. What is only appended to the log does not change it. */
function stateOf(file: string): string {
  const { size, mtimeNs, ino } = statSync(file, { bigint: true });
  return `${size} ${mtimeNs} ${ino} ${logHeader(file)}`;
}

function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, OWNER_FILE_MODE);
}

/** Copies the file, then its log. Returns true if both belong together. */
function isCopied(file: string, copy: string): boolean {
  const before = stateOf(file);
  copyFile(file, copy);
  rmSync(`${copy}-wal`, { force: true });
  try {
    copyFile(`${file}-wal`, `${copy}-wal`);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return stateOf(file) === before;
}

function copyTo(file: string, copy: string): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (isCopied(file, copy)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  throw new CompressionStrategyError(
    `Expected ${file} to stand still for a moment, but it changed each time it was copied (${MAX_TRIES} times). Its agent is writing; try again later.`,
    'SESSION_UNREADABLE',
  );
}

/** A copy of a database and its log, in a folder that only this user can read. */
export interface PrivateCopy {
  readonly path: string;
  remove(): void;
}

/**
 * A copy of a SQLite database and its log at one moment. The database is only read, without a lock, so its agent never
 * waits. Remove the copy in the end.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` when it never stops changing; the system's error.
 */
export function privateCopy(file: string): PrivateCopy {
  const release = isMainThread ? guardCopies() : undefined;
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    release?.();
  };
  try {
    const copy = path.join(folder, 'copy.db');
    copyTo(file, copy);
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** True if a thread of this process made this copy. */
export const isPrivateCopy = (file: string): boolean => path.basename(path.dirname(file)).startsWith(PREFIX);
