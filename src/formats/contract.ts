import type { IContent, Usage } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { UsageReports } from './usage/usage-report.ts';

/** The bytes of one line of a session file, with its line end. */
export type Line = Uint8Array;

/** A line that was not read, and why. `line` counts from 1; each record of a damaged line counts as one. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
}

/** A part of a list: its first index, and the index after its last one. */
export type Run = readonly [start: number, end: number];

/**
 * A recorded session: only what a model saw. Every entry has a unique `metadata.id`, by which `write` finds its position
 * in the file.
 */
export interface Session {
  readonly format: string;
  readonly id?: string;
  /** The last recorded model that answered. */
  readonly model?: string;
  /** The absolute working directory of the agent, where relative paths of its tools start. */
  readonly workspaceRoot?: string;
  /** The recorded system prompt and tool definitions, which every call sends; not a part of the history. */
  readonly systemText?: string;
  readonly events: readonly SessionEvent[];
  /** Events that are a copy of another session, such as the one that a fork continues: their calls were made and paid for there. */
  readonly copied?: readonly Run[];
  readonly skipped: readonly SkippedLine[];
  /** Calls that are in its file and in no conversation of it: those of its sub-agents. Absent: none. */
  readonly sideCalls?: readonly SideCall[];
  /** True if some results have the texts that were sent in their place, and not those of the file. */
  readonly isAsSent?: true;
}

/** A model call of which only the usage is read. */
export interface SideCall {
  /** The provider's name of the answer: equal in each copy of it. */
  readonly answerId: string;
  readonly usage: Usage;
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly atMs?: number;
}

/** The facts for a new session file. */
export interface NewSession {
  readonly id: string;
  readonly model?: string;
  readonly workspaceRoot?: string;
  /** Written if the format has a field for it. */
  readonly systemText?: string;
  /** Time of the first entry in milliseconds since 1970; each next entry without a time is one second later. */
  readonly startedAt: number;
}

/** The change of the session of `lines` to `history`; or, `isUndone`, from `history` back to that session. */
export interface SessionChange {
  readonly lines: Iterable<Line>;
  readonly history: readonly IContent[];
  readonly isUndone?: true;
}

/** A second file of a session in the same folder, which refers to positions in the session. */
interface Companion {
  /** The name of the session file, and of this file. */
  readonly sessionName: string;
  readonly name: string;
  /** The new bytes of this file after that change of the session. */
  write(bytes: Uint8Array, change: SessionChange): Uint8Array;
}

/** The session format of an agent or an API. Pure: from bytes to entries and back. */
export interface SessionFormat {
  readonly name: string;
  /** The name of the agent or API for users. */
  readonly title: string;
  readonly vocabulary: ToolVocabulary;
  /**
   * True if a file that starts with `head` has this format; at most one format may return true. `head` is decoded and has
   * at least the first 256 KB; it may end in the middle of a line or a document (see `json-file.ts`).
   */
  detect(head: string): boolean;
  /**
   * Reads a whole session; unusable lines are listed in `skipped`.
   * @throws CompressionStrategyError `SESSION_UNREADABLE` with line or byte if nothing is usable.
   */
  read(lines: Iterable<Line>): Session;
  /**
   * The same session with its live history changed to `history`, whose entries keep their `metadata.id`. Unchanged parts
   * are byte for byte as before. Reads `lines` more than once (`linesOf`); the pieces are to be joined in order. Absent:
   * the format is read-only.
   * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the file cannot contain a part of `history`.
   */
  write?(lines: Iterable<Line>, history: readonly IContent[]): Iterable<Uint8Array>;
  /** Absent: its files report no usage, or it is read-only. */
  readonly usageReports?: UsageReports;
  /** A new session of these entries. Absent: the format is read-only. */
  create?(history: readonly IContent[], session: NewSession): Iterable<Uint8Array>;
  /** Absent: a session is one file. */
  readonly companion?: Companion;
}

/** The live history at the end of `session`. */
export function liveHistory(session: Session): IContent[] {
  let live: IContent[] = [];
  for (const event of session.events) {
    if (event.kind === 'add') live.push(event.content);
    else live = [...event.contents];
  }
  return live;
}

/** True if the event at this index is a copy of one of another session. */
export const isCopied = ({ copied = [] }: Pick<Session, 'copied'>, index: number): boolean =>
  copied.some(([start, end]) => index >= start && index < end);
