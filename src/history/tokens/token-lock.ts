import type PQueue from 'p-queue';

/**
 * Runs the token work of one history, one task at a time: the `tokenizerLock`. A failed task never stops later ones.
 * Source: docs/architecture.md, "The offload protocol", "The lock".
 */
export class TokenLock {
  /** Made with the first task: the package takes a fifth of the time that `.` takes to load. */
  #queue: Promise<PQueue> | undefined;
  #failures: unknown[] = [];
  #taskCount = 0;

  /** How many tasks were queued so far: tells whether a task is still the last one. */
  get taskCount(): number {
    return this.#taskCount;
  }

  /** Runs `task` when all tasks queued before it are done. A task must call nothing that takes the lock itself. */
  run<Result>(task: () => Promise<Result> | Result): Promise<Result> {
    this.#taskCount++;
    this.#queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency: 1 }));
    return this.#queue.then((queue) => queue.add(async () => task()));
  }

  /** Resolves when no task is left. */
  async idle(): Promise<void> {
    await (await this.#queue)?.onIdle();
  }

  /** Collects a failure for the next `settled`. */
  noteFailure(error: unknown): void {
    this.#failures.push(error);
  }

  /**
   * Resolves when no task is left.
   * @throws what failed since the last call, an `AggregateError` if several (ERR-021).
   */
  async settled(): Promise<void> {
    await this.idle();
    const failures = this.#failures;
    this.#failures = [];
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) {
      throw new AggregateError(failures, `${failures.length} token updates failed; \`errors\` has each of them.`);
    }
  }
}
