import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../content/content.ts';
import type { HistoryChange } from '../history/engine.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { ChangeLog } from './delta.ts';
import { ThreadLostError, type ThreadPool } from './pool.ts';
import type { Change, Outcome, Task } from './protocol.ts';
import { slices, textUnits } from './snapshot.ts';

/** Text in one message: posting it blocks the sender for well under a millisecond. Source: bench `slice.max.10M`. */
const SLICE_UNITS = 256 * 1024;
const MAX_SNAPSHOTS_PER_REQUEST = 3;

export interface LinkFigures {
  readonly sentUnits: number;
  readonly requests: number;
  /** Snapshots beyond the first: a replica was evicted, lost its thread, or was out of step. */
  readonly resyncs: number;
}

let nextHistoryNumber = 1;

/**
 * One history's end of the protocol: keeps its replica in step, one request in flight. A request that loses its
 * thread is asked once more on a fresh one, from a fresh snapshot; a neighbour's loss does not count.
 */
export class ReplicaLink {
  readonly #historyId = `history-${nextHistoryNumber++}`;
  readonly #pool: ThreadPool;
  readonly #log = new ChangeLog();
  readonly #cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  #turn: Promise<unknown> = Promise.resolve();
  #isInStep = false;
  #epoch = 0;
  #revision = 0;
  #sequence = 0;
  #sentUnits = 0;
  #requests = 0;
  #snapshots = 0;

  constructor(pool: ThreadPool) {
    this.#pool = pool;
  }

  /** The history as the replica will know it at the next request; later appends grow this very array. */
  get entries(): readonly IContent[] {
    return this.#log.entries;
  }

  note(change: HistoryChange): void {
    this.#log.note(change);
  }

  /** `result` is what the last request gave: applying it crosses as one word. */
  rememberResult(result: DensityResult): void {
    this.#log.rememberResult(result, this.#sequence);
  }

  /** Makes the request in flight stop at its next check. */
  cancel(): void {
    Atomics.store(this.#cancelFlag, 0, 1);
  }

  /**
   * The outcome of `task` on the history as it is when the request's turn comes; never `need-snapshot`.
   * @throws ThreadLostError when no thread could do it; `DataCloneError` when the history cannot be sent.
   */
  request(task: Task | (() => Task)): Promise<Outcome> {
    const answer = this.#turn.then(() => this.#retried(typeof task === 'function' ? task() : task));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  figures(): LinkFigures {
    return { sentUnits: this.#sentUnits, requests: this.#requests, resyncs: Math.max(0, this.#snapshots - 1) };
  }

  /** The thread forgets the replica. */
  async release(): Promise<void> {
    this.cancel();
    await this.#turn;
    if (this.#isInStep) await this.#send([], { kind: 'release' }).catch(() => {});
    this.#isInStep = false;
    this.#pool.forget(this.#historyId);
  }

  async #retried(task: Task): Promise<Outcome> {
    Atomics.store(this.#cancelFlag, 0, 0);
    for (let losses = 0; ; ) {
      try {
        return await this.#inStep(task);
      } catch (error) {
        this.#isInStep = false;
        if (!(error instanceof ThreadLostError) || error.reason === 'closed' || error.reason === 'resting') throw error;
        if (error.reason !== 'displaced' && ++losses > 1) throw error;
      }
    }
  }

  async #inStep(task: Task): Promise<Outcome> {
    for (let snapshots = 0; snapshots < MAX_SNAPSHOTS_PER_REQUEST; snapshots++) {
      const outcome = await this.#deliver(this.#isInStep ? this.#log.take() : this.#startAnew(), task);
      this.#isInStep = outcome.kind !== 'need-snapshot';
      if (this.#isInStep) return outcome;
    }
    throw new ThreadLostError('garbage', new Error('it asks for a snapshot again and again'));
  }

  #startAnew(): readonly Change[] {
    this.#epoch++;
    this.#revision = 0;
    this.#snapshots++;
    return this.#log.takeSnapshot();
  }

  /** Sends `changes` in slices, yielding in between; the last slice carries the task. */
  async #deliver(changes: readonly Change[], task: Task): Promise<Outcome> {
    const messages = slices(changes, SLICE_UNITS);
    for (let message = messages.next(); ; ) {
      const next = message.done ? message : messages.next();
      const outcome = await this.#send(message.value ?? [], next.done ? task : { kind: 'synchronise' });
      if (next.done || outcome.kind === 'need-snapshot') return outcome;
      await nextEventLoopTurn();
      message = next;
    }
  }

  async #send(changes: readonly Change[], task: Task): Promise<Outcome> {
    const { outcome } = await this.#pool.run(this.#historyId, () => {
      this.#requests++;
      this.#sentUnits += textUnits(changes);
      this.#sequence++;
      const baseRevision = this.#revision++;
      return {
        version: 1,
        historyId: this.#historyId,
        epoch: this.#epoch,
        baseRevision,
        revision: this.#revision,
        sequence: this.#sequence,
        changes,
        task,
        cancelFlag: this.#cancelFlag,
      };
    });
    return outcome;
  }
}
