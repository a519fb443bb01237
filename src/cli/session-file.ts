import { CompressionStrategyError } from '../errors.ts';
import type { Line, Session, SessionFormat } from '../formats/contract.ts';
import { detectFormat } from '../formats/index.ts';
import { linesOf } from '../formats/lines.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { startProgress } from './progress.ts';

const HEAD_BYTES = 256 * 1024;

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

function headOf(bytes: FileBytes): string {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (const chunk of bytes.chunks()) {
    parts.push(chunk.subarray(0, HEAD_BYTES));
    sizeBytes += chunk.length;
    if (sizeBytes >= HEAD_BYTES) break;
  }
  return new TextDecoder('utf-8').decode(Buffer.concat(parts));
}

/** The same error with the file in front of its message. */
function named(path: string, error: unknown): unknown {
  if (!(error instanceof CompressionStrategyError) || error.message.includes(path)) return error;
  return new CompressionStrategyError(`${path}: ${error.message}`, error.code, { cause: error.cause });
}

/**
 * Opens and reads a session; its format is found by content unless `forced`.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` or `SESSION_FORMAT_UNKNOWN`, naming the file.
 */
export function openSession(path: string, forced?: SessionFormat): SessionFile {
  const bytes = fileBytes(path);
  if (bytes.sizeBytes === 0) {
    throw new CompressionStrategyError(
      `Expected a session in ${path}, got an empty file (0 bytes). If an agent is about to write it, try again later.`,
      'SESSION_UNREADABLE',
    );
  }
  const progress = startProgress('reading', bytes.sizeBytes);
  try {
    const format = forced ?? detectFormat(headOf(bytes));
    const startedAt = performance.now();
    const session = format.read(linesOf(() => bytes.chunks(progress.update)));
    const readMs = performance.now() - startedAt;
    if (session.events.length === 0) {
      throw new CompressionStrategyError(
        `Expected at least one message in this ${format.title} session, got none. There is nothing to look at yet.`,
        'SESSION_UNREADABLE',
      );
    }
    return {
      name: path,
      bytes,
      sizeBytes: bytes.sizeBytes,
      format,
      session,
      lines: linesOf(() => bytes.chunks()),
      readMs,
    };
  } catch (error) {
    throw named(path, error);
  } finally {
    progress.stop();
  }
}
