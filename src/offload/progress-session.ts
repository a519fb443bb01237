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

/** Reports the progress of a thread with one piece of work, over any number of requests. */
export class ProgressSession {
  readonly #known: () => KnownProgress;
  readonly #listener: (progress: EngineProgress) => void;
  #close: (() => void) | undefined;

  /** `known` is asked when a thread begins to report, because it reports from 0. */
  constructor(known: () => KnownProgress, listener: (progress: EngineProgress) => void) {
    this.#known = known;
    this.#listener = listener;
  }

  /** A port to send along, undefined when the thread has one. */
  open(): MessagePort | undefined {
    if (this.#close) return undefined;
    const before = this.#known();
    const { port, close } = listenToProgress<ThreadProgress>((reported) => this.#onReport(before, reported));
    this.#close = close;
    return port;
  }

  /** Closes the port: the thread that had it is lost, or the work is done. */
  close(): void {
    this.#close?.();
    this.#close = undefined;
  }

  #onReport(before: KnownProgress, reported: ThreadProgress): void {
    const isCounting = before.doneEntries + reported.countedEntries > 0;
    this.#listener({
      phase: isCounting ? 'count' : 'synchronise',
      doneEntries: isCounting ? before.doneEntries + reported.countedEntries : reported.synchronisedEntries,
      allEntries: before.allEntries,
      synchronisedBytes: reported.synchronisedBytes,
      countedTokens: before.countedTokens + reported.countedTokens,
    });
  }
}
