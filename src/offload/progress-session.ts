import type { MessagePort } from 'node:worker_threads';
import type { EngineProgress } from '../history/engine.ts';
import { listenToProgress } from '../threads/progress.ts';
import type { ThreadProgress } from './protocol.ts';

/** How far the caller knows the work to be by itself. */
export interface KnownProgress {
  readonly doneEntries: number;
  readonly allEntries: number;
  readonly countedTokens: number;
}

export type ProgressSession = ReturnType<typeof progressSession>;

/**
 * Reports the progress of a thread with one piece of work, over any number of requests. `known` is asked when a thread
 * begins to report, because it reports from 0.
 */
export function progressSession(known: () => KnownProgress, listener: (progress: EngineProgress) => void) {
  let close: (() => void) | undefined;
  return {
    /** A port to send along, undefined when the thread has one. */
    open(): MessagePort | undefined {
      if (close) return undefined;
      const { doneEntries, allEntries, countedTokens } = known();
      const opened = listenToProgress<ThreadProgress>((reported) => {
        const isCounting = doneEntries + reported.countedEntries > 0;
        listener({
          phase: isCounting ? 'count' : 'synchronise',
          doneEntries: isCounting ? doneEntries + reported.countedEntries : reported.synchronisedEntries,
          allEntries,
          synchronisedBytes: reported.synchronisedBytes,
          countedTokens: countedTokens + reported.countedTokens,
        });
      });
      close = opened.close;
      return opened.port;
    },

    /** Closes the port: the thread that had it is lost, or the work is done. */
    close(): void {
      close?.();
      close = undefined;
    },
  };
}
