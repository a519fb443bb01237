import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { IContent } from '../content/content.ts';
import { openAppendLog } from '../disk/append-log.ts';
import { fileStatus } from '../disk/file-status.ts';
import { makeOwnerFolder } from '../disk/owner-only.ts';
import { reasonOf } from '../disk/reason-of.ts';
import { SessionLock } from '../disk/session-lock.ts';
import { CompressionStrategyError } from '../errors.ts';
import { TimeSlice } from '../time-slice.ts';

/** The first line of a session file. */
export interface SessionHeader {
  readonly id: string;
  readonly startedAt: number;
  readonly model: string;
  readonly workspaceRoot: string;
}

type LogRecord =
  | { readonly kind: 'line'; readonly value: unknown }
  | { readonly kind: 'history'; readonly entries: readonly IContent[] };

/** UTF-16 units per write, about. */
const PIECE_CHARS = 256 * 1024;

/**
 * The file of a session in our own format, which only grows: a line for every entry, and a line with the whole history for
 * each compression. Writes in time slices, in the order of the calls. A killed process loses at most what it did not
 * `flush`.
 */
export class SessionLog {
  readonly path: string;
  readonly #header: SessionHeader;
  /** True while the header is not written. */
  #isNew: boolean;
  readonly #known = new WeakSet<IContent>();
  #lock: SessionLock | undefined;
  #handle: FileHandle | undefined;
  #waiting: LogRecord[] = [];
  #drain: Promise<void> | undefined;
  #failure: unknown;
  #isLineOpen = false;

  /**
   * A file with text is continued; another one begins with the header, before its first entry.
   * @throws CompressionStrategyError `SESSION_IN_USE`, `SESSION_UNREADABLE` for one that is continued
   */
  constructor(file: string, header: SessionHeader) {
    this.path = file;
    this.#header = header;
    this.#isNew = !fileStatus(file)?.size;
    if (!this.#isNew) this.#lock = SessionLock.take(file);
  }

  /** Declares that the file already contains these entries, each under its `metadata.id`. */
  know(entries: readonly IContent[]): void {
    for (const entry of entries) this.#known.add(entry);
  }

  /** Appends an entry whose `metadata.id` is unique in the session. */
  add(entry: IContent): void {
    this.#known.add(entry);
    this.#append({ kind: 'line', value: entry });
  }

  /** Records that the history is now `entries`. */
  rebuild(entries: readonly IContent[]): void {
    this.#append({ kind: 'history', entries: [...entries] });
  }

  /** Resolves when everything is in the file. @throws CompressionStrategyError `OUTPUT_FAILED` */
  async flush(): Promise<void> {
    await this.#drain;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    throw new CompressionStrategyError(
      `Expected to write the session to ${this.path}, but ${reasonOf(failure)}. Later messages are not saved.`,
      'OUTPUT_FAILED',
      { cause: failure },
    );
  }

  /** Writes what is pending and releases the lock. @throws as `flush` does. */
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
      // What is added while the last piece is written waits too.
      while (this.#waiting.length > 0) {
        for (let record = this.#waiting.shift(); record !== undefined; record = this.#waiting.shift()) {
          if (this.#isLineOpen) await put('\n');
          this.#isLineOpen = true;
          if (record.kind === 'line') await put(`${JSON.stringify(record.value)}\n`);
          else for await (const piece of this.#historyPieces(record.entries)) await put(piece);
          this.#isLineOpen = false;
        }
        if (text === '') continue;
        await handle.appendFile(text);
        text = '';
      }
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
