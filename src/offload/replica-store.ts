import type { Outcome, Reply, Request } from './protocol.ts';
import { Replica, type ReplicaServices } from './replica.ts';

export interface ReplicaStoreOptions {
  readonly services: ReplicaServices;
  readonly threadId: number;
  /** Text that all replicas together may hold; the least recently used go first, and get a snapshot when asked again. */
  readonly budgetBytes: number;
}

/** The replicas of one thread. Every request gets exactly one reply. */
export class ReplicaStore {
  readonly #options: ReplicaStoreOptions;
  /** In the order of their last use. */
  readonly #replicas = new Map<string, Replica>();
  #countedUnits = 0;

  constructor(options: ReplicaStoreOptions) {
    this.#options = options;
  }

  async receive(request: Request): Promise<Reply> {
    const { version, historyId, epoch, revision, sequence } = request;
    const outcome = version === 1 ? await this.#perform(request) : ({ kind: 'need-snapshot' } as const);
    return { version: 1, historyId, epoch, revision, sequence, outcome, figures: this.#figures() };
  }

  async #perform(request: Request): Promise<Outcome> {
    const { historyId } = request;
    if (request.task.kind === 'release') {
      this.#replicas.delete(historyId);
      return { kind: 'done' };
    }
    const replica = this.#replicas.get(historyId) ?? new Replica(this.#options.services);
    this.#replicas.delete(historyId);
    this.#replicas.set(historyId, replica);
    const countedBefore = replica.countedUnits;
    const outcome = await replica.receive(request);
    this.#countedUnits += replica.countedUnits - countedBefore;
    this.#evict(historyId);
    return outcome;
  }

  #evict(inUse: string): void {
    let held = this.#heldUnits();
    for (const [historyId, replica] of this.#replicas) {
      if (held <= this.#options.budgetBytes) return;
      if (historyId === inUse) continue;
      this.#replicas.delete(historyId);
      held -= replica.sizeUnits;
    }
  }

  #heldUnits(): number {
    let units = 0;
    for (const replica of this.#replicas.values()) units += replica.sizeUnits;
    return units;
  }

  #figures(): Reply['figures'] {
    return {
      threadId: this.#options.threadId,
      countedBytes: this.#countedUnits,
      replicas: this.#replicas.size,
      replicaBytes: this.#heldUnits(),
    };
  }
}
