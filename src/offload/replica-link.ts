import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../content/content.ts';
import type { EngineProgress } from '../history/engine.ts';
import { BackOff } from '../threads/back-off.ts';
import { Queue } from '../threads/queue.ts';
import { ThreadUnavailableError } from '../threads/unavailable.ts';
import { type KnownProgress, type ProgressSession, progressSession } from './progress-session.ts';
import type { Outcome, Request, ResultPart, Task } from './protocol.ts';
import { type Home, MAX_IN_FLIGHT, type ThreadPool } from './thread-pool.ts';
import { ChangeLog } from './transfer/delta.ts';
import { type Message, messages, type Payload } from './transfer/snapshot.ts';

const MAX_SNAPSHOTS = 3;
/** Requests of one history that may wait for each other. */
const MAX_WAITING = 256;

export interface LinkStats {
  readonly sentBytes: number;
  readonly countedBytes: number;
  readonly requests: number;
  /** Requests that found their replica in step. */
  readonly hits: number;
  /** Snapshots beyond the first: a replica was evicted, lost its thread, or was out of step. */
  readonly resyncs: number;
}

/** What a link needs of a pool. */
export type RequestRunner = Pick<ThreadPool, 'settle' | 'leave' | 'run' | 'isAlone' | 'start'>;

export interface LinkListeners {
  /** Called with the progress of long work. */
  readonly onProgress?: (progress: EngineProgress) => void;
  /** Called when a thread has done a task. */
  readonly onAnswer?: () => void;
}

/** A task for the history as it is at that moment, with entries that are not of it. */
export interface TaskInput {
  readonly task: Task;
  readonly loose?: readonly IContent[];
}

export interface LinkRequest {
  /** Called when the request is sent, and again when it must be sent again. Its error ends the request. */
  readonly build: () => TaskInput;
  /** Called when a thread begins to report, because the work takes more than one message. */
  readonly known: () => KnownProgress;
  /** Aborted: the thread stops at its next check, and the outcome is `cancelled`. */
  readonly signal?: AbortSignal;
  /** Whether it continues the long work of the last request, so that the thread reports from its first message on. */
  readonly isContinued?: boolean;
}

/** What is sent in one message; `isPart`: with others. */
type SentMessage = Pick<Message, 'changes' | 'bytes' | 'task'> &
  Pick<Request, 'progress'> & { readonly isPart?: boolean };

/** An outcome with all its parts, in order. */
export interface Answer {
  readonly outcome: Outcome;
  readonly parts: readonly ResultPart[];
  /** The sequence number of the request that it answers. */
  readonly sequence: number;
}

const CANCELLED: Answer = { outcome: { kind: 'cancelled' }, parts: [], sequence: -1 };

let nextHistoryNumber = 1;

/**
 * One history's end of the protocol: keeps its replica in step, one request in flight. A request that loses its
 * thread is sent once more to a fresh one, after a fresh snapshot; a neighbour's loss does not count.
 */
export class ReplicaLink {
  /** What the replica does not have yet; the owner of the link notes every change of the history in it. */
  readonly log = new ChangeLog();
  readonly #historyId = `history-${nextHistoryNumber++}`;
  readonly #pool: RequestRunner;
  readonly #home: Home;
  readonly #onProgress: (progress: EngineProgress) => void;
  readonly #onAnswer: () => void;
  /** The progress of the last request that took more than one message. */
  #progress: ProgressSession | undefined;
  readonly #cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  readonly #backOff = new BackOff(() => performance.now());
  readonly #queue = new Queue({ mostWaiting: MAX_WAITING, concurrency: 1 });
  readonly #stats = { sentBytes: 0, countedBytes: 0, requests: 0, hits: 0, snapshots: 0 };
  #isReleased = false;
  /** Whether the thread may have a part of this history, and whether it has everything that was sent. */
  #isHeld = false;
  #isInStep = false;
  #generation = 0;
  #revision = 0;
  #sequence = 0;

  constructor(pool: RequestRunner, { onProgress = () => {}, onAnswer = () => {} }: LinkListeners = {}) {
    this.#pool = pool;
    this.#onProgress = onProgress;
    this.#onAnswer = onAnswer;
    this.#home = pool.settle();
  }

  /**
   * The answer to a task; never `need-snapshot`.
   * @throws ThreadUnavailableError when no thread could do it; what `build` throws.
   */
  async request(request: LinkRequest): Promise<Answer> {
    if (this.#isReleased) throw new ThreadUnavailableError('closed');
    return this.#queue.enter(() => this.#perform(request));
  }

  /** Whether no other history lives on the thread. */
  get isAlone(): boolean {
    return this.#pool.isAlone(this.#home);
  }

  stats(): LinkStats {
    const { snapshots, ...stats } = this.#stats;
    return { ...stats, resyncs: Math.max(0, snapshots - 1) };
  }

  /** The thread forgets the replica, after the requests that wait; later ones are refused as `closed`. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const forget = async (): Promise<void> => {
      // A thread that is lost has forgotten already.
      if (this.#isHeld) await this.#send(() => ({ changes: [], task: { kind: 'release' }, bytes: 0 }));
    };
    await this.#queue.enter(forget).catch(() => {});
    this.#endProgress();
    this.#pool.leave(this.#home);
  }

  #endProgress(): void {
    this.#progress?.close();
    this.#progress = undefined;
  }

  async #perform(request: LinkRequest): Promise<Answer> {
    const { signal, isContinued } = request;
    if (this.#progress && !isContinued) this.#endProgress();
    const cancel = (): void => {
      Atomics.store(this.#cancelFlag, 0, 1);
    };
    Atomics.store(this.#cancelFlag, 0, 0);
    signal?.addEventListener('abort', cancel, { once: true });
    let losses = 0;
    try {
      for (let snapshots = 0; snapshots < MAX_SNAPSHOTS; ) {
        if (signal?.aborted) return CANCELLED;
        if (this.#backOff.isResting) throw new ThreadUnavailableError('resting');
        try {
          const answer = await this.#attempt(request);
          if (answer !== undefined) {
            this.#backOff.noteSuccess();
            this.#onAnswer();
            return answer;
          }
          snapshots++;
        } catch (error) {
          if (!(error instanceof ThreadUnavailableError)) throw error;
          if (error.reason === 'closed' || error.reason === 'resting' || error.reason === 'full') throw error;
          this.#isHeld = false;
          if (error.reason !== 'displaced' && ++losses > 1) {
            this.#backOff.noteFailure();
            throw error;
          }
        }
        this.#progress?.close();
      }
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    throw new ThreadUnavailableError('garbage', new Error('it asks for a snapshot again and again'));
  }

  /** Sends what the replica lacks and the task, then fetches the rest of a long result; undefined: it needs a snapshot, or the caller does not wait any more. */
  async #attempt(request: LinkRequest): Promise<Answer | undefined> {
    // Taking a snapshot is a step of its own: the caller has blocked the event loop already.
    if (!this.#isInStep) await nextEventLoopTurn();
    const sent = await this.#sendAll(request);
    if (sent === undefined) return undefined;
    const { outcome, task } = sent;
    const length = 'length' in task ? task.length : 0;
    const sequence = this.#sequence;
    const parts = 'parts' in outcome ? [...outcome.parts] : [];
    let last = outcome;
    while ('hasMore' in last && last.hasMore) {
      await nextEventLoopTurn();
      last = await this.#send(() => ({ changes: [], bytes: 0, task: { kind: 'continue', length } }));
      if ('parts' in last) for (const part of last.parts) parts.push(part);
    }
    this.#isInStep = last.kind !== 'need-snapshot';
    return this.#isInStep ? { outcome, parts, sequence } : undefined;
  }

  /** The task and its outcome, after all messages that it takes. The thread has several at once, from the second on. */
  async #sendAll(request: LinkRequest): Promise<{ task: Task; outcome: Outcome } | undefined> {
    const { build, known, signal, isContinued } = request;
    let unsent: Generator<Message, void> | undefined;
    let message: Message | undefined;
    const send = (next: () => Message): Promise<Outcome> =>
      this.#send(() => {
        const { isFirst, isLast, ...content } = next();
        const isPart = !(isFirst && isLast);
        const isLong = isContinued || isPart;
        if (isLong) this.#progress ??= progressSession(known, this.#onProgress);
        const port = isLong ? this.#progress?.open() : undefined;
        return { ...content, isPart, ...(port && { progress: port }) };
      });
    const nextMessage = (): Message => {
      unsent ??= messages(this.#payload(build()));
      message = unsent.next().value as Message;
      return message;
    };
    let outcome = await send(nextMessage);
    const replies: Promise<Outcome>[] = [];
    try {
      while (!message!.isLast && outcome.kind !== 'need-snapshot') {
        if (signal?.aborted) return undefined;
        await nextEventLoopTurn();
        const next = nextMessage();
        const reply = send(() => next);
        // What is not awaited below ends with the same loss.
        reply.catch(() => {});
        replies.push(reply);
        if (replies.length === MAX_IN_FLIGHT) outcome = await replies.shift()!;
      }
      while (outcome.kind !== 'need-snapshot' && replies.length > 0) outcome = await replies.shift()!;
      return { task: message!.task, outcome };
    } finally {
      // What is left of a failed attempt must not mix with the next one.
      await Promise.allSettled(replies);
    }
  }

  /** From here until it is answered, the replica counts as out of step. */
  #payload({ task, loose = [] }: TaskInput): Payload {
    const isSnapshot = !this.#isInStep;
    const changes = isSnapshot ? [...this.log.takeSnapshot()] : [...this.log.take()];
    if (isSnapshot) {
      this.#generation++;
      this.#revision = 0;
      this.#stats.snapshots++;
    } else this.#stats.hits++;
    this.#isInStep = false;
    if (loose.length > 0) changes.push({ kind: 'splice', list: 'loose', start: 0, deleteCount: 0, entries: loose });
    return { changes, isSnapshot, task };
  }

  async #send(build: () => SentMessage): Promise<Outcome> {
    const { outcome, countedBytes } = await this.#pool.run(this.#home, () => {
      const { changes, task, bytes, progress, isPart } = build();
      this.#stats.requests++;
      this.#stats.sentBytes += bytes;
      this.#isHeld = true;
      const baseRevision = this.#revision++;
      const request: Request = {
        version: 1,
        historyId: this.#historyId,
        generation: this.#generation,
        baseRevision,
        revision: this.#revision,
        sequence: ++this.#sequence,
        changes,
        task,
        cancelFlag: this.#cancelFlag,
        ...(progress && { progress }),
      };
      // Making a part of many changes blocks the caller for a while already, and posting it does so again. All parts
      // wait, so that none overtakes another.
      return isPart ? nextEventLoopTurn(request) : request;
    });
    this.#stats.countedBytes += countedBytes;
    return outcome;
  }
}
