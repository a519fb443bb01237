/** Something that happened in a session. The same id with the same payload is the same turn. */
export interface Turn {
  readonly id: string;
  readonly payload: string;
}

/** What waits for a session, and the version that this was true at. */
export interface Inbox {
  readonly version: number;
  readonly turns: readonly Turn[];
}

export interface Commit {
  /** The version whose inbox was read. */
  readonly expected: number;
  /** Lines to append. */
  readonly lines: readonly string[];
  /** How many turns of that inbox are done. */
  readonly taken: number;
}

/** `known`: it was added before; `refused`: another payload was added under its id. */
export type Enqueued = 'added' | 'known' | 'refused';

/**
 * What decides about sessions that several workers may work on: an inbox of turns and a log of lines for each. A commit succeeds only if no other process committed since the inbox was read, so no lease, lock or clock decides what is true. All methods may be
 * called again after a failure. Source: docs/fleet.md, "Sessions on servers".
 */
export interface SessionLog {
  enqueue(session: string, turn: Turn): Promise<Enqueued>;
  /** Version and inbox **of one moment**: a turn that is read with a later version would be committed twice. At most 50 turns. */
  read(session: string): Promise<Inbox>;
  /** The new version; undefined if another commit was first: nothing is written then. */
  commit(session: string, commit: Commit): Promise<number | undefined>;
  /** The lines from number `from` on, and the version that they belong to. */
  load(session: string, from: number): Promise<{ readonly version: number; readonly lines: readonly string[] }>;
  /** Sessions whose oldest turn waits for longer than this. */
  pending(olderThanMs: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Turns of one `read`. */
export const MAX_TURNS = 50;
