import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { IContent } from '../../content/content.ts';
import { openAppendLog } from '../../disk/append-log.ts';
import { reasonOf } from '../../disk/file-bytes.ts';
import { makeOwnerFolder } from '../../disk/owner-only.ts';
import { SessionLock } from '../../disk/session-lock.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { TimeSlice } from '../../history/time-slice.ts';

/** What the first line of a session says. */
export interface SessionHeader {
  readonly id: string;
  readonly startedAt: number;
  readonly model: string;
  readonly workspaceRoot: string;
}

type LogRecord =
  | { readonly kind: 'line'; readonly value: unknown }
  | { readonly kind: 'history'; readonly entries: readonly IContent[] };

/** Text is handed to the system in pieces of about this many UTF-16 units. */
const PIECE_CHARS = 256 * 1024;

/**
 * The file of a session, only ever appended to, in our own format: every entry as it comes, and a line for each
 * compression that says what the history is from there on. Work is done in slices, in the order it was asked for; a
 * process that is killed loses what it did not `flush` yet at most, and the line it was writing.
 */
export class SessionLog {
  readonly path: string;
  #header: SessionHeader;
  /** The header is not in the file yet. */
  #isNew = false;
  readonly #known = new WeakSet<IContent>();
  #lock: SessionLock | undefined;
  #handle: FileHandle | undefined;
  #waiting: LogRecord[] = [];
  #drain: Promise<void> | undefined;
  #failure: unknown;
  #isLineOpen = false;

  private constructor(file: string, header: SessionHeader) {
    this.path = file;
    this.#header = header;
  }

  /** A new session; its file is made when the first entry comes. */
  static create(file: string, header: SessionHeader): SessionLog {
    const log = new SessionLog(file, header);
    log.#isNew = true;
    return log;
  }

  /** Goes on with a session. @throws CompressionStrategyError `SESSION_IN_USE`, `SESSION_UNREADABLE` */
  static reopen(file: string, header: SessionHeader): SessionLog {
    const log = new SessionLog(file, header);
    log.#lock = SessionLock.take(file);
    return log;
  }

  get id(): string {
    return this.#header.id;
  }

  /** The file holds these already, each under its own `metadata.id`. */
  know(entries: readonly IContent[]): void {
    for (const entry of entries) this.#known.add(entry);
  }

  /** Appends an entry, which has a `metadata.id` that no other entry of the session has. */
  add(entry: IContent): void {
    this.#known.add(entry);
    this.#append({ kind: 'line', value: entry });
  }

  /** From here on the history is `entries`. */
  rebuild(entries: readonly IContent[]): void {
    this.#append({ kind: 'history', entries: [...entries] });
  }

  /** Another model answers from here on. */
  noteModel(model: string): void {
    this.#header = { ...this.#header, model };
    if (!this.#isNew) this.#append(this.#headerLine());
  }

  /** Resolves when everything is in the file. @throws CompressionStrategyError `OUTPUT_FAILED` */
  async flush(): Promise<void> {
    await this.#drain;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    throw new CompressionStrategyError(
      `Expected to write the session to ${this.path}, but ${reasonOf(failure)}. What was said since is not kept.`,
      'OUTPUT_FAILED',
      { cause: failure },
    );
  }

  /** Writes what is left and gives the session free. @throws as `flush` does. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#handle?.close();
      this.#lock?.release();
      this.#lock = undefined;
      this.#handle = undefined;
    }
  }

  #headerLine(): LogRecord {
    return { kind: 'line', value: { format: 'high-density', version: 1, ...this.#header } };
  }

  #append(record: LogRecord): void {
    if (this.#isNew) this.#waiting.push(this.#headerLine());
    this.#isNew = false;
    this.#waiting.push(record);
    this.#drain ??= this.#write().finally(() => {
      this.#drain = undefined;
    });
  }

  async #write(): Promise<void> {
    try {
      const handle = await this.#opened();
      let text = '';
      const put = async (piece: string): Promise<void> => {
        text += piece;
        if (text.length < PIECE_CHARS) return;
        await handle.appendFile(text);
        text = '';
      };
      for (let record = this.#waiting.shift(); record !== undefined; record = this.#waiting.shift()) {
        if (this.#isLineOpen) await put('\n');
        this.#isLineOpen = true;
        if (record.kind === 'line') await put(`${JSON.stringify(record.value)}\n`);
        else for await (const piece of this.#historyPieces(record.entries)) await put(piece);
        this.#isLineOpen = false;
      }
      if (text !== '') await handle.appendFile(text);
    } catch (error) {
      this.#failure = error;
      this.#isLineOpen = true;
      this.#waiting = [];
    }
  }

  async *#historyPieces(entries: readonly IContent[]): AsyncGenerator<string> {
    const slice = new TimeSlice();
    yield '{"history":[';
    for (const [index, entry] of entries.entries()) {
      const item = this.#known.has(entry) ? entry.metadata?.id : entry;
      yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`;
      if (slice.isOver()) await slice.next();
    }
    yield ']}\n';
  }

  async #opened(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    await makeOwnerFolder(path.dirname(this.path));
    this.#lock ??= SessionLock.take(this.path);
    this.#handle = await openAppendLog(this.path);
    return this.#handle;
  }
}
