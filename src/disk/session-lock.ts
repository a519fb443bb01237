import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { CompressionStrategyError, codeOf } from '../errors.ts';
import { OWNER_FILE_MODE } from './owner-only.ts';

/** The start time of a process, if the system knows it: with it, a reused process id is recognised. */
function startOf(pid: number): string {
  try {
    // Field 22; the name in field 2 may contain blanks and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** The identity of this process: its id and the time of its start. */
export const processToken = (): string => `${process.pid} ${startOf(process.pid)}\n`;

/** True while the process with this token runs. */
export function isProcessAlive(token: string): boolean {
  const [pid = 0, start = ''] = token.trim().split(' ');
  const id = Number(pid);
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  return String(start) === startOf(id);
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Creates the lock file complete or not at all. */
function create(file: string): boolean {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, processToken(), { mode: OWNER_FILE_MODE });
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(own);
  }
}

/** Removes the lock of a process that has ended, unless another process has replaced it meanwhile. */
function removeStale(file: string, token: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== token) linkSync(aside, file);
    unlinkSync(aside);
  } catch {
    // Another process was faster.
  }
}

/** The right to write to a session. One process has it at a time; it ends with the process, even after a crash. */
export class SessionLock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** @throws CompressionStrategyError `SESSION_IN_USE` when another process writes to the session. */
  static take(session: string): SessionLock {
    const file = `${session}.lock`;
    for (let attempt = 0; attempt < 3; attempt++) {
      if (create(file)) return new SessionLock(file);
      const token = read(file);
      if (token === undefined) continue;
      if (isProcessAlive(token)) throw inUse(session, token);
      removeStale(file, token);
    }
    throw inUse(session, read(file) ?? '');
  }

  release(): void {
    if (read(this.#file) === processToken()) unlinkSync(this.#file);
  }
}

const inUse = (session: string, token: string): CompressionStrategyError =>
  new CompressionStrategyError(
    `Expected a session that no process writes to, but process ${token.trim().split(' ')[0] || 'unknown'} writes to ${session}. Continue a copy of it with --from ${session}.`,
    'SESSION_IN_USE',
  );
