import type PQueue from 'p-queue';

/**
 * Runs tasks one at a time, in the order in which they came; a failed task never stops later ones.
 * Source: docs/architecture.md, "The offload protocol", "The lock".
 */
export class SerialQueue {
  /** Made with the first task: the package takes a fifth of the time that `.` takes to load. */
  #queue: Promise<PQueue> | undefined;

  /** Runs `task` when all tasks before it are done. A task must not wait for another task of its own queue. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency: 1 }));
    return (await this.#queue).add(task);
  }

  /** Resolves when no task is left. */
  async idle(): Promise<void> {
    await (await this.#queue)?.onIdle();
  }
}
