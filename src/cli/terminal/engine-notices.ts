import type { EngineListener, EngineProgress } from '../../history/engine.ts';
import type { Progress } from './progress.ts';
import { printable, terminal } from './terminal.ts';

let isNoticed = false;

/** Prints on standard error why the main thread does the work; once until threads work again. */
export async function noticeMainThread(reason: Error): Promise<void> {
  if (isNoticed) return;
  isNoticed = true;
  const { notes } = terminal();
  const why = printable(reason.message.replace(/\.$/, ''));
  await notes.print(
    notes.colors.yellow(
      `${why}. The main thread does the work: the result is the same, but the screen may freeze for a moment.\n`,
    ),
  );
}

async function noticeThreads(): Promise<void> {
  isNoticed = false;
  const { notes } = terminal();
  await notes.print(notes.colors.dim('Threads work again.\n'));
}

/** Progress of an engine, 0-1: it sends the entries, then counts them. */
function shareOf({ phase, doneEntries, allEntries }: EngineProgress): number {
  const done = phase === 'count' ? allEntries + doneEntries : doneEntries;
  return Math.min(1, done / Math.max(1, 2 * allEntries));
}

/** Prints the notices of an engine, and reports its progress (0-1) to `progress`. */
export function engineNotices(progress: Pick<Progress, 'update' | 'clear'>): EngineListener {
  const print = (notice: () => Promise<void>): void => {
    progress.clear();
    // Standard error is closed, so the notice cannot be read.
    notice().catch(() => {});
  };
  return {
    degraded: (reason) => print(() => noticeMainThread(reason)),
    restored: () => print(noticeThreads),
    progressed: (engineProgress) => progress.update(shareOf(engineProgress)),
  };
}
