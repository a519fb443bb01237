import type { IContent } from '../../content/content.ts';
import { type FileBytes, fileBytes } from '../../disk/file-bytes.ts';
import type { Line, Session, SessionFormat } from '../../formats/contract.ts';
import { formatNamed } from '../../formats/index.ts';
import { linesOf } from '../../formats/lines/lines.ts';
import { readSession } from '../../sessions/read-session.ts';
import { type Rewritten, rewritten } from '../../sessions/rewritten.ts';
import { SessionThread } from '../../sessions/threads/session-thread.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { noticeMainThread } from '../terminal/engine-notices.ts';
import { startProgress } from '../terminal/progress.ts';

/** Smaller files are read before a thread has started. */
const THREAD_BYTES = 1 << 20;

/** A session and where it came from. */
export interface SessionSource {
  /** Its path as it was given. */
  readonly name: string;
  readonly format: SessionFormat;
  readonly session: Session;
  readonly readMs: number;
  /** Absent where there is no file. */
  readonly sizeBytes?: number;
}

/** A session that was read from a file. The file itself is never changed. */
export interface SessionFile extends SessionSource {
  readonly bytes: FileBytes;
  /** The lines of the file, anew at every pass. */
  readonly lines: Iterable<Line>;
}

type OnProgress = (doneBytes: number) => void;

/** What is done with a file: on a thread when it is large, else on this one. */
interface FileWork<Result> {
  /** For the bar. */
  readonly label: string;
  /** Smaller files are not worth a thread. */
  readonly leastBytes: number;
  readonly onThread: (thread: SessionThread, onProgress: OnProgress) => Promise<Result>;
  readonly here: (onProgress: OnProgress) => Result | Promise<Result>;
}

/** The result of the work; done on this thread, with a notice, where no thread can. */
export async function workOnFile<Result>(bytes: FileBytes, work: FileWork<Result>): Promise<Result> {
  const { label, leastBytes, onThread, here } = work;
  const thread = bytes.sizeBytes < leastBytes ? undefined : new SessionThread();
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
 * Opens and reads a session, a large one on a thread; its format is found by content unless `forced`.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` or `SESSION_FORMAT_UNKNOWN`, naming the file.
 */
export async function openSession(path: string, forced?: SessionFormat): Promise<SessionFile> {
  const bytes = fileBytes(path);
  const read = await workOnFile(bytes, {
    label: 'reading',
    leastBytes: THREAD_BYTES,
    onThread: async (thread, onProgress) => {
      const { session, readMs } = await thread.open(path, { format: forced?.name, onProgress });
      return { format: formatNamed(session.format), session, readMs };
    },
    here: (onProgress) => readSession(bytes, { forced, onProgress }),
  });
  return { ...read, name: path, bytes, sizeBytes: bytes.sizeBytes, lines: linesOf(() => bytes.chunks()) };
}

/** The file with `after` as its live history, made on a thread when it is large. @throws as `format.write` does. */
export function rewrittenFile(opened: SessionFile, after: readonly IContent[]): Promise<Rewritten> {
  const { bytes, session } = opened;
  return workOnFile(bytes, {
    label: 'writing',
    leastBytes: THREAD_BYTES,
    onThread: (thread, onProgress) => thread.rewrite(bytes, { session, after, onProgress }),
    here: () => rewritten(opened, after),
  });
}
