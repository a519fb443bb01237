import { SerialQueue } from '../../serial-queue.ts';
import type { SessionLog } from '../log/session-log.ts';
import { type ReplicaOptions, SessionReplica, type TurnView } from './session-replica.ts';
import type { TurnRequest } from './turn-request.ts';

export interface SessionActorsOptions extends ReplicaOptions {
  readonly log: SessionLog;
  /** Tokens of the histories that are kept in memory; the ones used longest ago are dropped first. */
  readonly keptTokens?: number;
}

const KEPT_TOKENS = 20_000_000;

/**
 * The sessions that this process works on, each with one turn at a time. Another process may work on the same one: then one commit wins,
 * and the other starts again from the log.
 */
export class SessionActors {
  readonly #options: SessionActorsOptions;
  /** Replicas in memory, with their tokens after their last run. The one used last is the last one. */
  readonly #kept = new Map<string, { readonly replica: SessionReplica; tokens: number }>();
  /** Sessions with runs that wait or work. */
  readonly #running = new Map<string, { readonly queue: SerialQueue; runs: number }>();
  #keptTokens = 0;
  /** Replicas that were loaded, and commits that were lost. */
  readonly counts = { loads: 0, conflicts: 0 };

  constructor(options: SessionActorsOptions) {
    this.#options = options;
  }

  /** Keeps the turn; it is not lost from then on. */
  async enqueue(session: string, request: TurnRequest): Promise<'added' | 'known' | 'refused'> {
    const payload = JSON.stringify({ entries: request.entries });
    return this.#options.log.enqueue(session, { id: request.turn, payload });
  }

  /** Sessions with work that runs or waits; sessions in memory, and their tokens. */
  get sizes(): { readonly running: number; readonly kept: number; readonly keptTokens: number } {
    return { running: this.#running.size, kept: this.#kept.size, keptTokens: this.#keptTokens };
  }

  /** Does what waits for the session, and returns its view. */
  run(session: string): Promise<TurnView> {
    const running = this.#running.get(session) ?? { queue: new SerialQueue(), runs: 0 };
    this.#running.set(session, running);
    running.runs++;
    return running.queue.run(async () => {
      try {
        return await this.#work(session);
      } finally {
        running.runs--;
        if (running.runs === 0) this.#running.delete(session);
        this.#measure(session);
        this.#drop();
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ queue }) => queue.run(async () => {})));
    for (const session of this.#kept.keys()) this.#forget(session);
  }

  async #work(session: string): Promise<TurnView> {
    const { log } = this.#options;
    for (;;) {
      const { version, turns } = await log.read(session);
      const replica = await this.#replica(session, version);
      if (replica.version !== version) continue;
      if (turns.length === 0) return replica.view();
      const committed = await this.#commit(session, replica, { version, turns });
      if (committed === undefined) this.counts.conflicts++;
      else replica.version = committed;
    }
  }

  /** A replica with changes that were not committed is worth nothing. */
  async #commit(
    session: string,
    replica: SessionReplica,
    { version, turns }: Awaited<ReturnType<SessionLog['read']>>,
  ): Promise<number | undefined> {
    let committed: number | undefined;
    try {
      const lines = await replica.apply(turns);
      committed = await this.#options.log.commit(session, { expected: version, lines, taken: turns.length });
      return committed;
    } finally {
      if (committed === undefined) this.#forget(session);
    }
  }

  async #replica(session: string, version: number): Promise<SessionReplica> {
    const known = this.#kept.get(session);
    if (known?.replica.version === version) {
      this.#kept.delete(session);
      this.#kept.set(session, known);
      return known.replica;
    }
    this.#forget(session);
    this.counts.loads++;
    const replica = await SessionReplica.open(await this.#options.log.load(session, 0), this.#options);
    this.#kept.set(session, { replica, tokens: 0 });
    return replica;
  }

  #forget(session: string): void {
    const kept = this.#kept.get(session);
    if (kept === undefined) return;
    kept.replica.dispose();
    this.#keptTokens -= kept.tokens;
    this.#kept.delete(session);
  }

  #measure(session: string): void {
    const kept = this.#kept.get(session);
    if (kept === undefined) return;
    const tokens = kept.replica.history.getTotalTokens();
    this.#keptTokens += tokens - kept.tokens;
    kept.tokens = tokens;
  }

  /** Drops what was not used for longest until the rest fits. */
  #drop(): void {
    const { keptTokens = KEPT_TOKENS } = this.#options;
    for (const session of this.#kept.keys()) {
      if (this.#keptTokens <= keptTokens || this.#kept.size === 1) return;
      if (!this.#running.has(session)) this.#forget(session);
    }
  }
}
