import type { EventEmitter } from 'node:events';
import type { HistoryEvents } from './events.ts';

/** Emits the events of a history. The emitter's own signature cannot express the arguments of a generic name. */
export class Announcer {
  readonly #emitter: EventEmitter<HistoryEvents>;
  readonly #noteFailure: (error: unknown) => void;

  /** What a listener throws goes to `noteFailure`. */
  constructor(emitter: EventEmitter<HistoryEvents>, noteFailure: (error: unknown) => void) {
    this.#emitter = emitter;
    this.#noteFailure = noteFailure;
  }

  hasListeners(name: keyof HistoryEvents): boolean {
    return this.#emitter.listenerCount(name) > 0;
  }

  /** Emits. Never throws. */
  announce<Name extends keyof HistoryEvents>(name: Name, ...details: HistoryEvents[Name]): void {
    try {
      (this.#emitter as EventEmitter).emit(name, ...details);
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  /** Emits. @throws what a listener throws. */
  emit<Name extends keyof HistoryEvents>(name: Name, ...details: HistoryEvents[Name]): void {
    (this.#emitter as EventEmitter).emit(name, ...details);
  }
}
