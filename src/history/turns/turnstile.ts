/** Runs one task at a time, in the order of the calls. A task that throws fails its own caller only. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
