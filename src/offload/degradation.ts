import type { EngineListener } from '../history/engine.ts';
import type { CompressionStrategy } from '../strategies/contract.ts';
import { ThreadUnavailableError } from '../threads/unavailable.ts';

/** Reports to a listener, once, that the calling thread does the work of threads and why, until threads serve again. */
export class Degradation {
  readonly #listener: () => EngineListener | undefined;
  readonly #unregistered = new Set<string>();
  #isDegraded = false;

  /** `listener` is called each time there is something to report. */
  constructor(listener: () => EngineListener | undefined) {
    this.#listener = listener;
  }

  /** No thread could do the work. @throws `error` itself when it is not that. */
  begin(error: unknown): void {
    if (!(error instanceof ThreadUnavailableError)) throw error;
    if (this.#isDegraded) return;
    this.#isDegraded = true;
    this.#listener()?.degraded(error);
  }

  /** A thread has answered. */
  end(): void {
    if (!this.#isDegraded) return;
    this.#isDegraded = false;
    this.#listener()?.restored();
  }

  /** Threads do not know this strategy and never will: reported once for each name. */
  noteUnregistered({ name }: CompressionStrategy): void {
    if (this.#unregistered.has(name)) return;
    this.#unregistered.add(name);
    const reason = `Expected a registered strategy, got "${name}" that threads do not know. It runs on the calling thread.`;
    this.#listener()?.degraded(new Error(reason));
  }
}
