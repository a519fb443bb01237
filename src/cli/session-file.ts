import type { Line, Session, SessionFormat } from '../formats/contract.ts';
import { formatNamed } from '../formats/index.ts';
import { linesOf } from '../formats/lines.ts';
import { type FileBytes, fileBytes } from '../replay/file-bytes.ts';
import { readSession } from '../replay/read-session.ts';
import { SessionThread, ThreadLostError } from '../replay/session-thread.ts';
import { startProgress } from './progress.ts';

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

const fileOf = (bytes: FileBytes, read: Pick<SessionFile, 'format' | 'session' | 'readMs'>): SessionFile => ({
  ...read,
  name: bytes.path,
  bytes,
  sizeBytes: bytes.sizeBytes,
  lines: linesOf(() => bytes.chunks()),
});

function openHere(bytes: FileBytes, forced: SessionFormat | undefined): SessionFile {
  const progress = startProgress('reading', bytes.sizeBytes);
  try {
    return fileOf(bytes, readSession(bytes, { forced, onProgress: progress.update }));
  } finally {
    progress.stop();
  }
}

/**
 * Opens and reads a session; its format is found by content unless `forced`.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` or `SESSION_FORMAT_UNKNOWN`, naming the file.
 */
export function openSession(path: string, forced?: SessionFormat): SessionFile {
  return openHere(fileBytes(path), forced);
}

/** As `openSession`, but a large file is read on a thread; on this one where no thread starts. */
export async function openSessionOnThread(path: string, forced?: SessionFormat): Promise<SessionFile> {
  const bytes = fileBytes(path);
  if (bytes.sizeBytes < THREAD_BYTES) return openHere(bytes, forced);
  const thread = new SessionThread();
  const progress = startProgress('reading', bytes.sizeBytes);
  try {
    const { session, readMs } = await thread.open(path, { format: forced?.name, onProgress: progress.update });
    return fileOf(bytes, { format: formatNamed(session.format), session, readMs });
  } catch (error) {
    if (!(error instanceof ThreadLostError)) throw error;
    progress.stop();
    return openHere(bytes, forced);
  } finally {
    progress.stop();
    await thread.close();
  }
}
