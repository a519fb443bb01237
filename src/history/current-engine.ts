import type { Announcer } from './announcer.ts';
import type { Engine, EngineListener, ServedHistory } from './engine.ts';

/** The engine that serves a history now; its reports become events of the history. */
export class CurrentEngine {
  readonly #listener: EngineListener;
  #engine: Engine;
  #history: ServedHistory | undefined;

  constructor(engine: Engine, announcer: Announcer) {
    this.#engine = engine;
    this.#listener = {
      degraded: (reason) => announcer.announce('engineDegraded', { reason }),
      restored: () => announcer.announce('engineRestored'),
      progressed: (progress) => announcer.announce('engineProgress', progress),
    };
  }

  get current(): Engine {
    return this.#engine;
  }

  /** From now on the engine works for `history`. */
  serve(history: ServedHistory): void {
    this.#history = history;
    this.#engine.serve(history, this.#listener);
  }

  /** From now on `engine` does the work. The engine before it is not disposed. */
  exchange(engine: Engine): void {
    this.#engine = engine;
    if (this.#history) engine.serve(this.#history, this.#listener);
  }
}
