import type { SingleBar } from 'cli-progress';
import { duration, grouped, percent } from '../../report/figures.ts';
import { gauge } from './bar.ts';
import { RecentRate } from './recent-rate.ts';
import { terminal } from './terminal.ts';

/** Shorter work shows no bar. */
const DELAY_MS = 400;
const BAR_COLUMNS = 30;
/** Above the 30 per second that we want to reach, because timers run late on a busy machine. */
const FRAMES_PER_SECOND = 50;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPINNER_STEP_MS = 80;

/** Loaded at the first bar: most commands end before they draw one. */
let barLibrary: typeof import('cli-progress') | undefined;

async function loadBars(): Promise<void> {
  barLibrary = (await import('cli-progress')).default;
}

/** The progress of long work. `stop` removes the bar; call it at least once. */
export interface Progress {
  update(done: number): void;
  /** Removes the bar so that something can be printed. The next `update` draws it again. */
  clear(): void;
  stop(): void;
}

let firstStartedAt: number | undefined;

/**
 * Shows a bar on standard error after 0.4 s, on a terminal only. Its spinner turns even without an update, to show that the
 * program is alive. `total` and `update` use the same unit; with its name, the bar says how many are done, and the time left.
 */
export function startProgress(label: string, total: number, unit?: string): Progress {
  const { notes } = terminal();
  if (!notes.isLive || total <= 0) return { update: () => {}, clear: () => {}, stop: () => {} };
  const startedAt = performance.now();
  firstStartedAt ??= startedAt;
  const drawFrom = firstStartedAt + DELAY_MS;
  const rate = new RecentRate();
  const speed = (): string => {
    if (unit === undefined) return '';
    const amount = `, ${grouped(done)} of ${grouped(total)} ${unit}`;
    const perSecond = rate.at(performance.now(), done);
    if (perSecond === undefined) return amount;
    const seconds = Math.ceil((total - done) / perSecond);
    return `${amount}, ${seconds < 2 ? 'under 2 s' : duration(seconds * 1000)} left`;
  };
  const newBar = (library: typeof import('cli-progress')): SingleBar =>
    new library.SingleBar({
      format: (_options, { progress }) => {
        const step = Math.floor((performance.now() - startedAt) / SPINNER_STEP_MS);
        const { filled, track } = gauge(progress, BAR_COLUMNS);
        return `${SPINNER[step % SPINNER.length]} ${label} ${filled}${track} ${percent(progress, 1)}${speed()}`;
      },
      fps: FRAMES_PER_SECOND,
      forceRedraw: true,
      clearOnComplete: true,
      // Ctrl-C may end the process while the bar is drawn, so the bar must change no setting of the terminal.
      linewrap: true,
      stream: notes.stream,
    });
  let bar: SingleBar | undefined;
  let done = 0;
  let isDrawn = false;
  let isStopped = false;
  const draw = (): void => {
    if (isStopped || isDrawn || performance.now() < drawFrom) return;
    if (barLibrary === undefined) return void loadBars().then(draw);
    bar ??= newBar(barLibrary);
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
      rate.add(performance.now(), done);
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
