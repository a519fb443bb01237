import { type FileBytes, fileBytes } from '../disk/file-bytes.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { Session, SessionFormat } from '../formats/contract.ts';
import { detectFormat, formatOfLine } from '../formats/index.ts';
import { decode, linesOf } from '../formats/lines/lines.ts';
import { sentSession } from './prompts/sent-session.ts';

const HEAD_BYTES = 256 * 1024;
const NEWLINE = 10;

/** A session with the format and file it was read from. */
export interface ReadSession {
  readonly format: SessionFormat;
  /** As its model saw it, as far as that is known. */
  readonly session: Session;
  /** As it stands in the file, which is written again from this. */
  readonly recorded: Session;
  readonly readMs: number;
}

function headOf(bytes: FileBytes): Uint8Array {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (const chunk of bytes.chunks()) {
    parts.push(chunk.subarray(0, HEAD_BYTES));
    sizeBytes += chunk.length;
    if (sizeBytes >= HEAD_BYTES) break;
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}

function formatOf(bytes: FileBytes): SessionFormat {
  const head = headOf(bytes);
  const lineEnd = head.indexOf(NEWLINE);
  const line = lineEnd === -1 ? head : head.subarray(0, lineEnd + 1);
  return formatOfLine(decode(line)) ?? detectFormat(decode(head));
}

/** True if the file can be opened and its format is known by content. */
export function hasKnownFormat(file: string): boolean {
  try {
    const bytes = fileBytes(file);
    formatOf(bytes);
    return bytes.sizeBytes > 0;
  } catch (error) {
    if (error instanceof CompressionStrategyError) return false;
    throw error;
  }
}

/** The same error, with the file named at the start of its message. */
function named(path: string, error: unknown): unknown {
  if (!(error instanceof CompressionStrategyError) || error.message.includes(path)) return error;
  return new CompressionStrategyError(`${path}: ${error.message}`, error.code, { cause: error.cause });
}

/**
 * Reads a session; its format is found by content unless `forced`. `onProgress` is called with bytes.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` or `SESSION_FORMAT_UNKNOWN`, naming the file.
 */
export function readSession(
  bytes: FileBytes,
  { forced, onProgress }: { forced?: SessionFormat | undefined; onProgress?: (doneBytes: number) => void } = {},
): ReadSession {
  if (bytes.sizeBytes === 0) {
    throw new CompressionStrategyError(
      `Expected a session in ${bytes.path}, got an empty file (0 bytes). If an agent is about to write it, try again later.`,
      'SESSION_UNREADABLE',
    );
  }
  try {
    const format = forced ?? formatOf(bytes);
    const startedAt = performance.now();
    const recorded = format.read(linesOf(() => bytes.chunks(onProgress)));
    const readMs = performance.now() - startedAt;
    if (recorded.events.length === 0) {
      throw new CompressionStrategyError(
        `This ${format.title} session has no message yet, so there is nothing to look at. Try again when its agent has answered.`,
        'SESSION_UNREADABLE',
      );
    }
    return { format, session: sentSession(recorded), recorded, readMs };
  } catch (error) {
    throw named(bytes.path, error);
  }
}
