import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonFields, readOr } from '../../../content/foreign-value.ts';
import { packageFile } from '../../../package-file.ts';
import { dataFolder } from '../../../sessions/places/data-folder.ts';

const OWNER_FOLDER_MODE = 0o700;
const OWNER_FILE_MODE = 0o600;
/** One count at a time, and not more often than this; a count that takes longer was killed. */
const REST_MS = 15_000;

/** What the rules would remove from a session, as it was counted last. */
interface RemovableTokens {
  readonly tokens: number;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** The file of the last count of a session. */
export const countFile = (session: string): string =>
  path.join(
    dataFolder(),
    'live',
    'statusline',
    `${createHash('sha256').update(session).digest('hex').slice(0, 16)}.json`,
  );

/** The last count of a session, also of an earlier state of it; undefined if it was never counted. */
export function knownRemovableTokens(session: string): RemovableTokens | undefined {
  const value = jsonFields(readOr(() => readFileSync(countFile(session), 'utf8'), ''));
  // Only this command writes the file, whole or not at all.
  return typeof value?.['tokens'] === 'number' ? (value as unknown as RemovableTokens) : undefined;
}

/** The parameters of Node for a process that counts a session. */
const counting = (session: string): string[] => [
  fileURLToPath(packageFile('dist/density.js')),
  'statusline',
  '--count',
  session,
];

/** Lets another process count a session, unless one did so just now: the status line waits for nothing. */
export function startCounting(session: string): void {
  const lock = `${countFile(session)}.lock`;
  try {
    mkdirSync(path.dirname(lock), { recursive: true, mode: OWNER_FOLDER_MODE });
    if (Date.now() - statSync(lock).mtimeMs < REST_MS) return;
    const now = new Date();
    utimesSync(lock, now, now);
  } catch {
    try {
      closeSync(openSync(lock, 'wx', OWNER_FILE_MODE));
    } catch {
      // Another status line was faster, or nothing can be written: then nothing is counted.
      return;
    }
  }
  spawn(process.execPath, counting(session), { detached: true, stdio: 'ignore' }).unref();
}

/** Whoever resumes a session waits so long for an offer. */
const COUNT_MS = 5_000;

/** What the rules would remove from a session: the last count, and another one if the session changed since; undefined if that takes too long. */
export function countedRemovableTokens(session: string): number | undefined {
  const { size, mtimeMs } = statSync(session);
  const known = knownRemovableTokens(session);
  if (known?.sizeBytes === size && known.mtimeMs === mtimeMs) return known.tokens;
  const { status } = spawnSync(process.execPath, counting(session), { timeout: COUNT_MS, stdio: 'ignore' });
  return status === 0 ? knownRemovableTokens(session)?.tokens : undefined;
}
