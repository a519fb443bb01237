import { createRequire } from 'node:module';
import type { SingleBar } from 'cli-progress';
import { percent } from '../../report/figures.ts';
import { gauge } from './bar.ts';
import { terminal } from './terminal.ts';

/** What a command does in less time needs no bar. */
const DELAY_MS = 400;
const BAR_COLUMNS = 30;
/** A timer is late by some milliseconds on a busy machine, and what is drawn should never be less than 30 a second. */
const FRAMES_PER_SECOND = 50;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPINNER_STEP_MS = 80;

const require = createRequire(import.meta.url);

/** Loaded for the first bar that is drawn: most commands are done before. */
const barLibrary = (): typeof import('cli-progress') => require('cli-progress');

/** How far a long piece of work is. `stop` takes the bar away, must be called, and may be called more than once. */
export interface Progress {
  update(done: number): void;
  /** Takes the bar away so that something can be printed; the next `update` draws it again. */
  clear(): void;
  stop(): void;
}

let firstStartedAt: number | undefined;

/**
 * A bar on standard error once long work has taken 0.4 s, only where a person watches. It is drawn again and again
 * whether or not there is news: whoever sees it turn sees that nothing hangs. `total` and `update` are in the same unit.
 */
export function startProgress(label: string, total: number): Progress {
  const { notes } = terminal();
  if (!notes.isLive || total <= 0) return { update: () => {}, clear: () => {}, stop: () => {} };
  const startedAt = performance.now();
  firstStartedAt ??= startedAt;
  const drawFrom = firstStartedAt + DELAY_MS;
  const newBar = (): SingleBar =>
    new (barLibrary().SingleBar)({
      format: (_options, { progress }) => {
        const step = Math.floor((performance.now() - startedAt) / SPINNER_STEP_MS);
        const { filled, track } = gauge(progress, BAR_COLUMNS);
        return `${SPINNER[step % SPINNER.length]} ${label} ${filled}${track} ${percent(progress, 1)}`;
      },
      fps: FRAMES_PER_SECOND,
      forceRedraw: true,
      clearOnComplete: true,
      // Ctrl-C ends the process while the bar stands there: no setting of the terminal may be left to restore.
      linewrap: true,
      stream: notes.stream,
    });
  let bar: SingleBar | undefined;
  let done = 0;
  let isDrawn = false;
  let isStopped = false;
  const draw = (): void => {
    if (isStopped || isDrawn || performance.now() < drawFrom) return;
    bar ??= newBar();
    bar.start(total, done);
    isDrawn = true;
  };
  const clear = (): void => {
    if (isDrawn) bar?.stop();
    isDrawn = false;
  };
  // A timer may be early by a fraction of a millisecond.
  const timer = setTimeout(draw, Math.max(0, drawFrom - startedAt) + 1);
  timer.unref();
  return {
    update(now) {
      done = Math.min(now, total);
      draw();
      if (isDrawn) bar?.update(done);
    },
    clear,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clear();
    },
  };
}
