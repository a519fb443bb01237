import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseAt } from '../../../disk/opencode-database/database-session.ts';

/** Milliseconds between two looks at the file. Events of a file system are missing on networks and after renames. */
const ASK_MS = 300;
/** A change is reported when the file is quiet, or after so long. */
const LONGEST_WAIT_MS = 2_000;

/** The facts about a file that differ after a change, also if another file took its name. Undefined if there is no file. */
async function signatureOf(path: string): Promise<string | undefined> {
  const file = databaseAt(path)?.file;
  const parts = await Promise.all(
    (file === undefined ? [path] : [file, `${file}-wal`]).map((one) =>
      stat(one).then(
        ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
        () => undefined,
      ),
    ),
  );
  return parts[0] === undefined ? undefined : parts.join(' ');
}

interface FollowOptions {
  readonly signal: AbortSignal;
  /** Asked while nothing changes: true ends it. */
  readonly isOver: () => boolean;
  /** Milliseconds since 1970 at which it is looked at again though nothing changed. */
  readonly lookAgainAt: () => number | undefined;
  /** The least pause between two reports: what looking costs. */
  readonly pauseMs: () => number;
}

/**
 * Reports a file at once and after each of its changes: `there`, or `gone` while it is missing. It may be cut, replaced,
 * removed and written again. Ends, without an error, with the signal.
 */
export async function* fileChanges(path: string, options: FollowOptions): AsyncGenerator<'there' | 'gone'> {
  const { signal } = options;
  let shown: string | undefined | null = null;
  while (!signal.aborted && !options.isOver()) {
    let found = await signatureOf(path);
    const isDue = (options.lookAgainAt() ?? Number.POSITIVE_INFINITY) <= Date.now();
    if (found !== shown || isDue) {
      const until = Date.now() + (shown === null ? 0 : LONGEST_WAIT_MS);
      for (let isQuiet = false; !isQuiet && Date.now() < until; ) {
        if (!(await waited(ASK_MS, signal))) return;
        const next = await signatureOf(path);
        isQuiet = next === found;
        found = next;
      }
      shown = found;
      yield found === undefined ? 'gone' : 'there';
      if (!(await waited(options.pauseMs(), signal))) return;
    }
    if (!(await waited(ASK_MS, signal))) return;
  }
}

/** False if the signal came first. */
const waited = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  pause(milliseconds, true, { signal }).catch(() => false);
