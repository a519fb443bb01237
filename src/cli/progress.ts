import { Presets, SingleBar } from 'cli-progress';
import { terminal } from './terminal.ts';

const DELAY_MS = 400;

/** How far a long piece of work is. `stop` takes the bar away and may be called more than once. */
export interface Progress {
  update(done: number): void;
  /** Takes the bar away so that something can be printed; the next `update` draws it again. */
  clear(): void;
  stop(): void;
}

/**
 * A bar on standard error for work that takes longer than 0.4 s, only where a person watches.
 * `total` and `update` are in the same unit.
 */
export function startProgress(label: string, total: number): Progress {
  const { notes } = terminal();
  if (!notes.isLive || total <= 0) return { update: () => {}, clear: () => {}, stop: () => {} };
  const startedAt = performance.now();
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage} %`,
      barsize: 30,
      clearOnComplete: true,
      // Ctrl-C ends the process while the bar stands there: no setting of the terminal may be left to restore.
      linewrap: true,
      stream: notes.stream,
    },
    Presets.shades_classic,
  );
  let isDrawn = false;
  let isStopped = false;
  const clear = (): void => {
    if (isDrawn) bar.stop();
    isDrawn = false;
  };
  return {
    update(done) {
      if (isStopped) return;
      if (!isDrawn && performance.now() - startedAt >= DELAY_MS) {
        bar.start(total, done);
        isDrawn = true;
      }
      if (isDrawn) bar.update(Math.min(done, total));
    },
    clear,
    stop() {
      isStopped = true;
      clear();
    },
  };
}
