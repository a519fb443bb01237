/**
 * Tells when what was begun last is not over in time, one piece of work at a time. One timer lives on from one to the
 * next, because starting and stopping one for each costs more than looking again later; it keeps no process alive.
 */
export class Deadline {
  #timer: NodeJS.Timeout | undefined;
  #looksAtMs = 0;
  #endsAtMs = 0;
  #onMissed: (() => void) | undefined;

  /** `onMissed` is called when `limitMs` pass before `end`. */
  begin(limitMs: number, onMissed: () => void): void {
    this.#onMissed = onMissed;
    this.#endsAtMs = performance.now() + limitMs;
    if (this.#timer === undefined || this.#endsAtMs < this.#looksAtMs) this.#lookIn(limitMs);
  }

  end(): void {
    this.#onMissed = undefined;
  }

  #lookIn(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#looksAtMs = performance.now() + waitMs;
    this.#timer = setTimeout(() => this.#look(), waitMs).unref();
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#onMissed === undefined) return;
    const restMs = this.#endsAtMs - performance.now();
    if (restMs > 0) {
      this.#lookIn(restMs);
      return;
    }
    const onMissed = this.#onMissed;
    // The event loop may have been blocked meanwhile: what has arrived is heard before the work is given up.
    setImmediate(() => {
      if (this.#onMissed === onMissed) onMissed();
    });
  }
}
