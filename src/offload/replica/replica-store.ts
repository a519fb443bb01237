import type { ProgressReporter } from '../../threads/progress.ts';
import type { Outcome, Reply, Request, ThreadProgress } from '../protocol.ts';
import { Replica, type ReplicaServices } from './replica.ts';

type ProgressPort = NonNullable<Request['progress']>;

export interface ReplicaStoreOptions {
  readonly services: ReplicaServices;
  readonly threadId: number;
  /** Memory that all replicas together may take; the least recently used are removed first, and get a snapshot when they are needed again. */
  readonly budgetBytes: number;
  readonly openProgress: (port: ProgressPort) => Promise<ProgressReporter<ThreadProgress>>;
}

interface Slot {
  readonly replica: Replica;
  /** In the middle of a snapshot: throwing it away now would begin it again for ever. */
  isFilling: boolean;
  reporter: ProgressReporter<ThreadProgress> | undefined;
  /** Until it ends, requests wait: they must not overtake the one that brought a progress port. */
  opening: Promise<void> | undefined;
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
  readonly #slots = new Map<string, Slot>();
  constructor(options: ReplicaStoreOptions) {
    this.#options = options;
  }

  async receive(request: Request): Promise<Reply> {
    const { version, historyId, generation, revision, sequence } = request;
    const { outcome, countedBytes } = version === 1 ? await this.#perform(request) : REFUSED;
    const replicaBytes = this.#makeRoom(historyId);
    const figures = { threadId: this.#options.threadId, replicas: this.#slots.size, replicaBytes };
    return { version: 1, historyId, generation, revision, sequence, outcome, countedBytes, figures };
  }

  async #perform(request: Request): Promise<Performed> {
    const { historyId, task, progress } = request;
    if (task.kind === 'release') {
      this.#drop(historyId);
      return { outcome: { kind: 'done' }, countedBytes: 0 };
    }
    const slot = this.#slots.get(historyId) ?? {
      replica: new Replica(this.#options.services),
      isFilling: false,
      reporter: undefined,
      opening: undefined,
    };
    // The last in the order of use.
    this.#slots.delete(historyId);
    this.#slots.set(historyId, slot);
    if (progress) {
      slot.opening = this.#report(slot, progress).finally(() => {
        slot.opening = undefined;
      });
    }
    if (slot.opening) await slot.opening;
    const countedBefore = slot.replica.countedBytes;
    const outcome = await slot.replica.receive(request);
    slot.isFilling = task.kind === 'synchronise' && outcome.kind === 'done';
    return { outcome, countedBytes: slot.replica.countedBytes - countedBefore };
  }

  async #report(slot: Slot, port: ProgressPort): Promise<void> {
    slot.reporter?.close();
    const reporter = await this.#options.openProgress(port);
    slot.reporter = reporter;
    slot.replica.reportTo((progress) => reporter.report(progress));
    // The work is done; a later piece of work brings a port of its own.
    port.once('close', () => {
      if (slot.reporter === reporter) slot.replica.reportTo(undefined);
    });
  }

  #drop(historyId: string): void {
    this.#slots.get(historyId)?.reporter?.close();
    this.#slots.delete(historyId);
  }

  /** Drops replicas until the others fit, except that of the history in use. Returns the memory that is left in use. */
  #makeRoom(inUse: string): number {
    let bytes = 0;
    for (const { replica } of this.#slots.values()) bytes += replica.bytes;
    for (const [historyId, slot] of this.#slots) {
      if (bytes <= this.#options.budgetBytes) break;
      if (historyId === inUse || slot.isFilling) continue;
      bytes -= slot.replica.bytes;
      this.#drop(historyId);
    }
    return bytes;
  }
}
