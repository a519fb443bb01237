import type { EngineListener, EngineProgress } from '../../history/engine.ts';
import { printable } from './printable.ts';
import type { Progress } from './progress.ts';
import { terminal } from './terminal.ts';

let isNoticed = false;

/** Says on standard error that what belongs on a thread is done on the main thread, and why; once until threads serve again. */
export async function noticeMainThread(reason: Error): Promise<void> {
  if (isNoticed) return;
  isNoticed = true;
  const { notes } = terminal();
  const why = printable(reason.message.replace(/\.$/, ''));
  await notes.print(
    notes.colors.yellow(
      `${why}. The work is done on the main thread: the result is the same, the screen may stand still.\n`,
    ),
  );
}

async function noticeThreads(): Promise<void> {
  isNoticed = false;
  const { notes } = terminal();
  await notes.print(notes.colors.dim('Threads do the work again.\n'));
}

/** How far a piece of work of an engine is, of 1: first entries are sent, then they are counted. */
function shareOf({ phase, doneEntries, allEntries }: EngineProgress): number {
  const done = phase === 'count' ? allEntries + doneEntries : doneEntries;
  return Math.min(1, done / Math.max(1, 2 * allEntries));
}

/** Shows what becomes of the work of an engine: notices, and in `progress` how far it is, from 0 to 1. */
export function engineNotices(progress: Pick<Progress, 'update' | 'clear'>): EngineListener {
  const say = (said: () => Promise<void>): void => {
    progress.clear();
    // Standard error is gone: nobody is there to be told.
    said().catch(() => {});
  };
  return {
    degraded: (reason) => say(() => noticeMainThread(reason)),
    restored: () => say(noticeThreads),
    progressed: (engineProgress) => progress.update(shareOf(engineProgress)),
  };
}
