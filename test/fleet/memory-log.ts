import {
  type Commit,
  type Enqueued,
  type Inbox,
  MAX_TURNS,
  type SessionLog,
  type Turn,
} from '../../src/fleet/log/session-log.ts';

interface Stored {
  version: number;
  readonly lines: string[];
  readonly inbox: Turn[];
  readonly payloads: Map<string, string>;
  /** When the oldest turn of the inbox was added. */
  waitingSince: number;
}

/** A log in memory. `nowMs` never runs backwards. */
export class MemoryLog implements SessionLog {
  readonly #sessions = new Map<string, Stored>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  async enqueue(session: string, turn: Turn): Promise<Enqueued> {
    const stored = this.#stored(session);
    const known = stored.payloads.get(turn.id);
    if (known !== undefined) return known === turn.payload ? 'known' : 'refused';
    stored.payloads.set(turn.id, turn.payload);
    if (stored.inbox.length === 0) stored.waitingSince = this.#nowMs();
    stored.inbox.push(turn);
    return 'added';
  }

  async read(session: string): Promise<Inbox> {
    const { version, inbox } = this.#stored(session);
    return { version, turns: inbox.slice(0, MAX_TURNS) };
  }

  async commit(session: string, { expected, lines, taken }: Commit): Promise<number | undefined> {
    const stored = this.#stored(session);
    if (stored.version !== expected) return undefined;
    for (const line of lines) stored.lines.push(line);
    stored.inbox.splice(0, taken);
    stored.version++;
    return stored.version;
  }

  async load(session: string, from: number): Promise<{ version: number; lines: readonly string[] }> {
    const { version, lines } = this.#stored(session);
    return { version, lines: lines.slice(from) };
  }

  async pending(olderThanMs: number): Promise<readonly string[]> {
    const before = this.#nowMs() - olderThanMs;
    return [...this.#sessions]
      .filter(([, { inbox, waitingSince }]) => inbox.length > 0 && waitingSince <= before)
      .map(([session]) => session);
  }

  async close(): Promise<void> {
    this.#sessions.clear();
  }

  #stored(session: string): Stored {
    const known = this.#sessions.get(session);
    if (known) return known;
    const stored: Stored = { version: 0, lines: [], inbox: [], payloads: new Map(), waitingSince: 0 };
    this.#sessions.set(session, stored);
    return stored;
  }
}
