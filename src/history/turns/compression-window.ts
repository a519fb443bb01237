import type { IContent } from '../../content/content.ts';

export interface QueuedAdd {
  readonly kind: 'add';
  readonly content: IContent;
  readonly modelName: string | undefined;
}

export type QueuedOperation = QueuedAdd | { readonly kind: 'clear' };

/** What to do with a history after its compression: first `operations`, in order, then add `arrived`. */
export interface Flush {
  readonly operations: readonly QueuedOperation[];
  /** Adds of the turn loop, as opposed to those that rebuild the history. */
  readonly arrived: readonly QueuedAdd[];
  /** `operations` replace the history by a compressed one. */
  readonly isRebuild: boolean;
}

/** The time between `startCompression` and `endCompression`, and the adds and clears that are queued in it. */
export class CompressionWindow {
  /** Whether a compression is running. Only `open` and `close` change it. */
  isOpen = false;
  #operations: QueuedOperation[] = [];
  #wasRebuilt = false;
  #closed: Promise<void> = Promise.resolve();
  #resolveClosed = (): void => {};

  /** Resolves when no compression is running. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  open(): void {
    this.isOpen = true;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  queue(operation: QueuedOperation): void {
    this.#operations.push(operation);
  }

  /** Removes the last queued operation when it is an add that `matches` accepts, and returns it. */
  retract(matches: (content: IContent) => boolean): QueuedAdd | undefined {
    const last = this.#operations.at(-1);
    if (last?.kind !== 'add' || !matches(last.content)) return undefined;
    this.#operations.pop();
    return last;
  }

  /** `replaceAll` has rebuilt the history already: everything queued comes from the turn loop. */
  noteRebuild(): void {
    this.#wasRebuilt = true;
  }

  /**
   * Ends the window. Without `noteRebuild`, the last `clear` and the adds after it are the rebuild, and the adds before
   * it follow the rebuilt history; `clear` loses none of them.
   * Source: docs/library.md, `endCompression`; docs/readings.md, row 18.
   */
  close(): Flush {
    const operations = this.#operations;
    const lastClear = operations.findLastIndex(({ kind }) => kind === 'clear');
    const isByHand = !this.#wasRebuilt && lastClear !== -1;
    this.#operations = [];
    this.#wasRebuilt = false;
    this.isOpen = false;
    this.#resolveClosed();
    if (isByHand) {
      const rebuild = operations.slice(lastClear);
      return { operations: rebuild, arrived: adds(operations.slice(0, lastClear)), isRebuild: rebuild.length > 1 };
    }
    return {
      operations: operations.slice(0, lastClear + 1),
      arrived: adds(operations.slice(lastClear + 1)),
      isRebuild: false,
    };
  }
}

const adds = (operations: readonly QueuedOperation[]): QueuedAdd[] =>
  operations.filter((operation) => operation.kind === 'add');
