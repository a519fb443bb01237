import type { Change, Task } from '../protocol.ts';
import { type Slice, slices } from './snapshot.ts';

/** What goes into one message: posting it holds the sender for about 0.3 ms. Source: bench `slice.max.10M`. */
const SLICE_BYTES = 256 * 1024;

export interface Message extends Slice {
  readonly task: Task;
  /** Whether it is one of several. */
  readonly isPartial: boolean;
}

/** What a request is made of, taken at one moment of the history. */
export interface Cargo {
  readonly changes: readonly Change[];
  /** Whether the changes make all of the history. */
  readonly isSnapshot: boolean;
  readonly task: Task;
}

/** The messages of one request: what the replica lacks in slices, the last one with the task. Each is made when its turn has come. */
export class Delivery {
  readonly #load: () => Cargo;
  #open: { readonly task: Task; readonly slices: ReturnType<typeof slices>; upcoming: Slice | undefined } | undefined;

  /** `load` is called once, for the first message. */
  constructor(load: () => Cargo) {
    this.#load = load;
  }

  /** Whether the last message has been made. */
  get isOver(): boolean {
    return this.#open !== undefined && this.#open.upcoming === undefined;
  }

  next(): Message {
    const isFirst = this.#open === undefined;
    this.#open ??= this.#begin();
    const { task, slices: rest, upcoming } = this.#open;
    this.#open.upcoming = rest.next().value;
    const isLast = this.#open.upcoming === undefined;
    return {
      changes: upcoming?.changes ?? [],
      bytes: upcoming?.bytes ?? 0,
      task: isLast ? task : { kind: 'synchronise' },
      isPartial: !(isFirst && isLast),
    };
  }

  #begin(): { task: Task; slices: ReturnType<typeof slices>; upcoming: Slice | undefined } {
    const { changes, isSnapshot, task } = this.#load();
    const all = slices(changes, SLICE_BYTES, { isSnapshot });
    return { task, slices: all, upcoming: all.next().value };
  }
}
