import { SingleBar } from 'cli-progress';
import { gauge } from './bar.ts';
import { percent } from './figures.ts';
import { terminal } from './terminal.ts';

const DELAY_MS = 400;
const BAR_COLUMNS = 30;
/** A timer is late by a millisecond or two, and what is drawn should never be less than 30 a second. */
const FRAMES_PER_SECOND = 40;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPINNER_STEP_MS = 80;

/** How far a long piece of work is. `stop` takes the bar away, must be called, and may be called more than once. */
export interface Progress {
  update(done: number): void;
  /** Takes the bar away so that something can be printed; the next `update` draws it again. */
  clear(): void;
  stop(): void;
}

/**
 * A bar on standard error for work that takes longer than 0.4 s, only where a person watches. It is drawn again and
 * again whether or not there is news: whoever sees it turn sees that nothing hangs. `total` and `update` are in the same unit.
 */
export function startProgress(label: string, total: number): Progress {
  const { notes } = terminal();
  if (!notes.isLive || total <= 0) return { update: () => {}, clear: () => {}, stop: () => {} };
  const startedAt = performance.now();
  const bar = new SingleBar({
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
  let done = 0;
  let isDrawn = false;
  let isStopped = false;
  const draw = (): void => {
    if (isStopped || isDrawn || performance.now() - startedAt < DELAY_MS) return;
    bar.start(total, done);
    isDrawn = true;
  };
  const clear = (): void => {
    if (isDrawn) bar.stop();
    isDrawn = false;
  };
  const timer = setTimeout(draw, DELAY_MS);
  timer.unref();
  return {
    update(now) {
      done = Math.min(now, total);
      draw();
      if (isDrawn) bar.update(done);
    },
    clear,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clear();
    },
  };
}
