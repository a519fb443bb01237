import type { IContent } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';

/** One line of a session file as it stands, line end included, decoded on demand by the reader. */
export type Line = Uint8Array;

/** A line or part that was left out, and why. `line` counts from 1. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
}

/**
 * A recorded session. Only what a model saw is in it. Every entry has a `metadata.id` that is unique in the session,
 * by which `write` finds where it came from.
 */
export interface Session {
  readonly format: string;
  readonly id?: string;
  /** The last model that answered, as recorded. */
  readonly model?: string;
  /** Absolute directory that the agent worked in; relative paths of its tools start here. */
  readonly workspaceRoot?: string;
  /** System prompt and tool definitions sent with every call, where recorded; not part of the history. */
  readonly systemText?: string;
  readonly events: readonly SessionEvent[];
  readonly skipped: readonly SkippedLine[];
}

/** What a new session file needs beside its entries. */
export interface NewSession {
  readonly id: string;
  readonly model?: string;
  readonly workspaceRoot?: string;
  /** Written where the format has a place for it. */
  readonly systemText?: string;
  /** Milliseconds since 1970 of the first entry; each further entry is one second later unless it has its own. */
  readonly startedAt: number;
}

/** A file that an agent keeps beside a session, and that names places in it. */
export interface Companion {
  /** The name that sessions with one have, and its own; both stand in one folder. */
  readonly sessionName: string;
  readonly name: string;
  /** Its bytes for the session of `lines` when `write` has changed that to `history`. */
  write(bytes: Uint8Array, lines: Iterable<Line>, history: readonly IContent[]): Uint8Array;
}

/** One way in which an agent or an API writes conversations down. Pure: bytes in, entries out, and back. */
export interface SessionFormat {
  readonly name: string;
  /** The agent's or API's own name for a person to read. */
  readonly title: string;
  readonly vocabulary: ToolVocabulary;
  /**
   * Whether `head` is this format; no other format may say so of the same file. `head` is the start of a file, decoded,
   * at least its first 256 KB where it is longer: it may end in the middle of a line or a document (see `detection.ts`).
   */
  detect(head: string): boolean;
  /**
   * Reads a whole session, tolerant of lines it cannot use (they are listed in `skipped`).
   * @throws CompressionStrategyError `SESSION_UNREADABLE` when nothing of it can be used, with line or byte.
   */
  read(lines: Iterable<Line>): Session;
  /**
   * The same session with its live history changed to `history`, whose entries keep the `metadata.id` they were read
   * with. What did not change is byte for byte as it was. `lines` is passed over more than once (`linesOf`); the
   * pieces returned are to be joined in order. Absent: the format is read-only.
   * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when the file has no place for something in `history`.
   */
  write?(lines: Iterable<Line>, history: readonly IContent[]): Iterable<Uint8Array>;
  /** A new session of these entries. Absent: the format is read-only. */
  create?(history: readonly IContent[], session: NewSession): Iterable<Uint8Array>;
  /** Absent: a session is one file. */
  readonly companion?: Companion;
}

/** The history that is live at the end of `session`: its events, folded. */
export function liveHistory(session: Session): IContent[] {
  let live: IContent[] = [];
  for (const event of session.events) {
    if (event.kind === 'add') live.push(event.content);
    else live = [...event.contents];
  }
  return live;
}
