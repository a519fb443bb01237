import type { IContent } from '../content/content.ts';

export interface QueuedAdd {
  readonly kind: 'add';
  readonly content: IContent;
  readonly modelName: string | undefined;
}

export type QueuedOperation = QueuedAdd | { readonly kind: 'clear' };

/** What to do with a history when its compression has ended: first `operations`, in order, then add `arrived`. */
export interface Flush {
  readonly operations: readonly QueuedOperation[];
  /** Adds of the turn loop, as opposed to those that rebuild the history. */
  readonly arrived: readonly QueuedAdd[];
  /** `operations` put a compressed history in place of the one before. */
  readonly isRebuild: boolean;
}

/** The time between `startCompression` and `endCompression`, and what was asked of the history meanwhile. */
export class CompressionWindow {
  #operations: QueuedOperation[] = [];
  #wasRebuilt = false;
  #isOpen = false;
  #closed: Promise<void> = Promise.resolve();
  #resolveClosed = (): void => {};

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when no compression is running. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  open(): void {
    this.#isOpen = true;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  queue(operation: QueuedOperation): void {
    this.#operations.push(operation);
  }

  /** Takes back the last queued operation when it is an add that `isIt` accepts. */
  retract(isIt: (content: IContent) => boolean): QueuedAdd | undefined {
    const last = this.#operations.at(-1);
    if (last?.kind !== 'add' || !isIt(last.content)) return undefined;
    this.#operations.pop();
    return last;
  }

  /** The rebuilt history was put in place at once (`replaceAll`): what is queued is the turn loop's alone. */
  noteRebuild(): void {
    this.#wasRebuilt = true;
  }

  /**
   * Ends the window. Without `noteRebuild`, `clear` and the adds after it are the rebuild, and what was added before
   * it stands after the rebuilt history; nothing that was added before `clear` is lost to it.
   * Source: docs/history-service.md, `endCompression`; docs/readings.md, row 18.
   */
  close(): Flush {
    const operations = this.#operations;
    const rebuildFrom = this.#wasRebuilt ? -1 : operations.findLastIndex(({ kind }) => kind === 'clear');
    this.#operations = [];
    this.#wasRebuilt = false;
    this.#isOpen = false;
    this.#resolveClosed();
    if (rebuildFrom !== -1) {
      const arrived = operations.slice(0, rebuildFrom).filter((operation) => operation.kind === 'add');
      const rebuild = operations.slice(rebuildFrom);
      return { operations: rebuild, arrived, isRebuild: rebuild.length > 1 };
    }
    const lastClear = operations.findLastIndex(({ kind }) => kind === 'clear');
    return {
      operations: operations.slice(0, lastClear + 1),
      arrived: operations.slice(lastClear + 1).filter((operation) => operation.kind === 'add'),
      isRebuild: false,
    };
  }

  /** Ends the window and forgets what was queued. */
  discard(): void {
    this.close();
  }
}
