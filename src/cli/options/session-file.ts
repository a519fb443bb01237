import { type Command, InvalidArgumentError, Option } from 'commander';
import type { IContent } from '../../content/content.ts';
import { type FileBytes, fileBytes } from '../../disk/file-bytes.ts';
import type { Line, Session, SessionFormat } from '../../formats/contract.ts';
import { formatNamed, SESSION_FORMATS } from '../../formats/index.ts';
import { linesOf } from '../../formats/lines/lines.ts';
import { sentSession } from '../../sessions/prompts/sent-session.ts';
import { readSession } from '../../sessions/read-session.ts';
import { type Rewritten, rewritten } from '../../sessions/rewritten.ts';
import { SessionThread } from '../../sessions/threads/session-thread.ts';
import { nearestName } from '../../settings/nearest-name.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { noticeMainThread } from '../terminal/engine-notices.ts';
import { startProgress } from '../terminal/progress.ts';

/** Options of every command that reads a session. */
export interface ReadOptions {
  readonly format?: SessionFormat;
  readonly model?: string;
}

/** The format of this name. @throws InvalidArgumentError with the nearest name */
export function parseFormat(name: string): SessionFormat {
  const known = SESSION_FORMATS.map((format) => format.name);
  if (!known.includes(name)) {
    throw new InvalidArgumentError(`Expected one of ${known.join(', ')}. Did you mean "${nearestName(name, known)}"?`);
  }
  return formatNamed(name);
}

/** Adds `--format`. */
export function formatOption(command: Command): Command {
  const option = new Option('--format <name>', 'read the session as this format instead of detecting it').argParser(
    parseFormat,
  );
  option.argChoices = SESSION_FORMATS.map(({ name }) => name);
  return command.addOption(option);
}

/** Adds `--model`. */
export function modelOption(command: Command): Command {
  return command.option(
    '--model <name>',
    'count with the tokenizer and window of this model (default: the recorded model)',
  );
}

/** The model that sets tokenizer and window: the option, else the recorded model, else `unknown`. */
export const modelOf = (asked: string | undefined, recorded: string | undefined): string =>
  asked ?? recorded ?? 'unknown';

/** Reading a smaller file takes less time than starting a thread. */
const THREAD_BYTES = 1 << 20;

/** What reports say about a session besides its figures. */
export interface SessionFacts {
  /** Its path as given. */
  readonly name: string;
  readonly format: SessionFormat;
  readonly session: Pick<Session, 'skipped'>;
  readonly readMs: number;
  /** Absent where there is no file. */
  readonly sizeBytes?: number;
}

export interface SessionSource extends SessionFacts {
  readonly session: Session;
}

/** A session that was read from a file. The file never changes. */
export interface SessionFile extends SessionSource {
  /** As it stands in the file; `session` is as its model saw it. */
  readonly recorded: Session;
  readonly bytes: FileBytes;
  /** Each iteration reads the file again. */
  readonly lines: Iterable<Line>;
}

type OnProgress = (doneBytes: number) => void;

/** The same work in two forms: on a thread for a large file, else on the main thread. */
interface FileWork<Result> {
  /** Label of the progress bar. */
  readonly label: string;
  /** Smaller files use the main thread. */
  readonly leastBytes: number;
  readonly onThread: (thread: SessionThread, onProgress: OnProgress) => Promise<Result>;
  readonly here: (onProgress: OnProgress) => Result | Promise<Result>;
}

/** What a thread says of a session that it read, whose events stay there. */
export const withoutEvents = <Reply extends { readonly head: Omit<Session, 'events'> }>({ head, ...rest }: Reply) => ({
  ...rest,
  format: formatNamed(head.format),
  session: { ...head, events: [] },
});

/**
 * Runs the work. If no thread can, prints a notice and runs it on the main thread; so does a session of a database: a
 * thread would read it again, and find more.
 */
export async function workOnFile<Result>(bytes: FileBytes, work: FileWork<Result>): Promise<Result> {
  const { label, leastBytes, onThread, here } = work;
  const isHere = bytes.sizeBytes < leastBytes || bytes.database !== undefined;
  const thread = isHere ? undefined : new SessionThread();
  const progress = startProgress(label, bytes.sizeBytes);
  try {
    if (thread === undefined) return await here(progress.update);
    return await onThread(thread, progress.update);
  } catch (error) {
    if (!(error instanceof ThreadUnavailableError)) throw error;
    progress.clear();
    await noticeMainThread(error);
    return await here(progress.update);
  } finally {
    progress.stop();
    await thread?.close();
  }
}

/**
 * Reads a session, a large one on a thread. Detects the format by content unless `forced`.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` or `SESSION_FORMAT_UNKNOWN`, naming the file.
 */
export function openSession(path: string, forced?: SessionFormat): Promise<SessionFile> {
  return openBytes(fileBytes(path), forced);
}

/** Reads a session that is open. @throws as `openSession` does. */
export async function openBytes(bytes: FileBytes, forced?: SessionFormat): Promise<SessionFile> {
  const read = await workOnFile(bytes, {
    label: 'reading',
    leastBytes: THREAD_BYTES,
    onThread: async (thread, onProgress) => {
      const { session, readMs } = await thread.open(bytes.path, { format: forced?.name, onProgress });
      return { format: formatNamed(session.format), session: sentSession(session), recorded: session, readMs };
    },
    here: (onProgress) => readSession(bytes, { forced, onProgress }),
  });
  return { ...read, name: bytes.path, bytes, sizeBytes: bytes.sizeBytes, lines: linesOf(() => bytes.chunks()) };
}

/** The file with `after` as its live history. A large file is written on a thread. @throws as `format.write` does. */
export function rewrittenFile(opened: SessionFile, after: readonly IContent[]): Promise<Rewritten> {
  const { bytes, recorded: session } = opened;
  return workOnFile(bytes, {
    label: 'writing',
    leastBytes: THREAD_BYTES,
    onThread: (thread, onProgress) => thread.rewrite(bytes, { session, after, onProgress }),
    here: () => rewritten({ ...opened, session }, after),
  });
}
