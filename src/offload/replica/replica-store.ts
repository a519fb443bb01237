import type { ProgressReporter } from '../../threads/progress.ts';
import type { Outcome, Reply, Request, ThreadFigures, ThreadProgress } from '../protocol.ts';
import { Replica, type ReplicaServices } from './replica.ts';

type ProgressPort = NonNullable<Request['progress']>;

export interface ReplicaStoreOptions {
  readonly services: ReplicaServices;
  readonly threadId: number;
  /** Memory that all replicas together may take; the least recently used are removed first, and get a snapshot when they are needed again. */
  readonly budgetBytes: number;
  readonly openProgress: (port: ProgressPort) => ProgressReporter<ThreadProgress>;
}

interface Held {
  readonly replica: Replica;
  /** In the middle of a snapshot: throwing it away now would begin it again for ever. */
  isFilling: boolean;
  reporter: ProgressReporter<ThreadProgress> | undefined;
}

interface Performed {
  readonly outcome: Outcome;
  readonly countedBytes: number;
}

const REFUSED: Performed = { outcome: { kind: 'need-snapshot' }, countedBytes: 0 };

/** The replicas of one thread. Every request gets exactly one reply. */
export class ReplicaStore {
  readonly #options: ReplicaStoreOptions;
  /** In the order of their last use. */
  readonly #held = new Map<string, Held>();
  constructor(options: ReplicaStoreOptions) {
    this.#options = options;
  }

  async receive(request: Request): Promise<Reply> {
    const { version, historyId, epoch, revision, sequence } = request;
    const { outcome, countedBytes } = version === 1 ? await this.#perform(request) : REFUSED;
    return { version: 1, historyId, epoch, revision, sequence, outcome, countedBytes, figures: this.#figures() };
  }

  async #perform(request: Request): Promise<Performed> {
    const { historyId, task, progress } = request;
    if (task.kind === 'release') {
      this.#drop(historyId);
      return { outcome: { kind: 'done' }, countedBytes: 0 };
    }
    const held = this.#heldFor(historyId);
    if (progress) this.#report(held, progress);
    const countedBefore = held.replica.countedBytes;
    const outcome = await held.replica.receive(request);
    held.isFilling = task.kind === 'synchronise' && outcome.kind === 'done';
    this.#evict(held);
    return { outcome, countedBytes: held.replica.countedBytes - countedBefore };
  }

  /** The replica of a history, last in the order of use. */
  #heldFor(historyId: string): Held {
    const held = this.#held.get(historyId) ?? {
      replica: new Replica(this.#options.services),
      isFilling: false,
      reporter: undefined,
    };
    this.#held.delete(historyId);
    this.#held.set(historyId, held);
    return held;
  }

  #report(held: Held, port: ProgressPort): void {
    held.reporter?.close();
    const reporter = this.#options.openProgress(port);
    held.reporter = reporter;
    held.replica.reportTo((progress) => reporter.report(progress));
  }

  #drop(historyId: string): void {
    this.#held.get(historyId)?.reporter?.close();
    this.#held.delete(historyId);
  }

  #evict(inUse: Held): void {
    let bytes = this.#heldBytes();
    for (const [historyId, held] of this.#held) {
      if (bytes <= this.#options.budgetBytes) return;
      if (held === inUse || held.isFilling) continue;
      bytes -= held.replica.bytes;
      this.#drop(historyId);
    }
  }

  #heldBytes(): number {
    let bytes = 0;
    for (const { replica } of this.#held.values()) bytes += replica.bytes;
    return bytes;
  }

  #figures(): ThreadFigures {
    return {
      threadId: this.#options.threadId,
      replicas: this.#held.size,
      replicaBytes: this.#heldBytes(),
    };
  }
}
