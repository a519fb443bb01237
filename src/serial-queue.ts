const ignored = (): void => {};

/**
 * Runs tasks one at a time, in the order in which they came; a failed task never stops later ones.
 * Without a package, because a request of an agent must not wait until one is loaded; that of a history is p-queue.
 */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs `task` when all tasks before it are done. A task must not wait for another task of its own queue. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(task);
    // Without its result, which would be kept until the next task.
    this.#last = done.then(ignored, ignored);
    return done;
  }

  /** Resolves when no task is left. */
  async idle(): Promise<void> {
    for (let awaited: Promise<void> | undefined; awaited !== this.#last; await awaited) awaited = this.#last;
  }
}
