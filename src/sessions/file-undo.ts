import { createHash } from 'node:crypto';
import { isRecord } from '../content/foreign-value.ts';

/** How the bytes of a written file become those of the file before. */
export interface FileUndo {
  /** The size of the written file. Agents append to the file later. */
  readonly sizeBytes: number;
  /** SHA-256 of the written file. */
  readonly digest: string;
  /** In order: a run of the written file as start and length, or other bytes as Latin-1 text. */
  readonly parts: readonly (readonly [start: number, length: number] | string)[];
}

const NEWLINE = 10;
const CLOSING_BRACE = 125;
/** A shorter piece costs less than the two numbers of a run. */
const MIN_RUN_BYTES = 32;

/** Ends of pieces: lines, and objects, because a JSON document may be one line. */
function pieceEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === NEWLINE || byte === CLOSING_BRACE || at === bytes.length - 1) ends.push(at + 1);
  }
  return ends;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** How to undo the step from `before` to `after`. Contains each changed piece of `before` once. Linear. */
export function fileUndo(before: Uint8Array, after: Uint8Array): FileUndo {
  const old = bufferOf(before);
  const written = bufferOf(after);
  const places = new Map<string, number>();
  let start = 0;
  for (const end of pieceEnds(written)) {
    if (end - start >= MIN_RUN_BYTES) places.set(written.toString('latin1', start, end), start);
    start = end;
  }
  const parts: ([number, number] | string)[] = [];
  // The end of the last run. The text after a removed piece usually continues there.
  let next = 0;
  start = 0;
  for (const end of pieceEnds(old)) {
    const length = end - start;
    const last = parts.at(-1);
    const isNext = old.compare(written, next, Math.min(next + length, written.length), start, end) === 0;
    const piece = old.toString('latin1', start, end);
    const place = isNext ? next : places.get(piece);
    if (place === undefined || (typeof last === 'string' && length < MIN_RUN_BYTES)) {
      if (typeof last === 'string') parts[parts.length - 1] = last + piece;
      else parts.push(piece);
    } else {
      if (typeof last === 'object' && place === last[0] + last[1]) last[1] += length;
      else parts.push([place, length]);
      next = place + length;
    }
    start = end;
  }
  return { sizeBytes: written.length, digest: digestOf(written), parts };
}

/** The file before the step, then what was appended since; `undefined` if `now` does not begin with the written file. */
export function undoneFile(now: Uint8Array, { sizeBytes, digest, parts }: FileUndo): Uint8Array | undefined {
  const written = now.subarray(0, sizeBytes);
  if (written.length !== sizeBytes || digestOf(written) !== digest) return undefined;
  const pieces = parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : written.subarray(part[0], part[0] + part[1]),
  );
  return Buffer.concat([...pieces, now.subarray(sizeBytes)]);
}

/** True for a number of bytes or entries, or a place among them. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** True for a value that `fileUndo` may have made. */
export function isFileUndo(value: unknown): value is FileUndo {
  if (!isRecord(value) || !Array.isArray(value['parts'])) return false;
  return (
    isCount(value['sizeBytes']) &&
    typeof value['digest'] === 'string' &&
    value['parts'].every(
      (part) => typeof part === 'string' || (Array.isArray(part) && part.length === 2 && part.every(isCount)),
    )
  );
}
