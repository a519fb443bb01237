import PQueue from 'p-queue';

/**
 * Runs tasks one at a time, in the order in which they came; a failed task never stops later ones.
 * Source: docs/architecture.md, "The offload protocol", "The lock".
 */
export class SerialQueue {
  readonly #queue = new PQueue({ concurrency: 1 });

  /** Runs `task` when all tasks before it are done, and never before the caller goes on. A task must not wait for another task of its own queue. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#queue.add(async () => {
      await undefined;
      return task();
    });
  }

  /** Resolves when no task is left. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }
}
