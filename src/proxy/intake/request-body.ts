import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Decompress } from 'fzstd';
import { TimeSlice } from '../../time-slice.ts';

/** As much as Anthropic accepts, and a little more. Longer bodies go through as they are. */
export const LARGEST_BODY_BYTES = 34 * 1024 * 1024;

/** A body as it came, read up to the limit. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** False: more follows in the request. */
  readonly isWhole: boolean;
}

/** If no byte of a body comes for this long, the agent is gone. */
const LONGEST_PAUSE_MS = 60_000;

/** The length that a request says its body has; `undefined`: it does not say. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Reads a body up to the limit; nothing of one that is longer anyway. @throws if the agent hangs up, or nothing comes for a minute. */
export function receivedBody(request: IncomingMessage): Promise<ReceivedBody> {
  const length = declaredLength(request) ?? 0;
  if (length > LARGEST_BODY_BYTES) return Promise.resolve({ bytes: Buffer.alloc(0), isWhole: false });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    // If the length is known, each part is copied while the next one arrives.
    const all = length > 0 ? Buffer.allocUnsafe(length) : undefined;
    const timer = setTimeout(
      () => settle(() => reject(new Error('Nothing came of the request for a minute.'))),
      LONGEST_PAUSE_MS,
    );
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      finish();
    };
    const whole = (isWhole: boolean): void =>
      resolve({ bytes: all ? all.subarray(0, sizeBytes) : Buffer.concat(chunks), isWhole });
    const onEnd = (): void => settle(() => whole(true));
    const onClose = (): void => settle(() => reject(new Error('The agent hung up.')));
    const onData = (chunk: Buffer): void => {
      timer.refresh();
      if (all) chunk.copy(all, sizeBytes);
      else chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes <= LARGEST_BODY_BYTES) return;
      request.pause();
      settle(() => whole(false));
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** What grows more when it is decoded is no conversation. */
const LARGEST_RATIO = 200;
const SMALL_BODY_BYTES = 1024 * 1024;
/** The longest that so many bytes of a conversation become when they are decoded. */
export const mostGrownBytes = (bytes: number): number => Math.max(SMALL_BODY_BYTES, LARGEST_RATIO * bytes);
const mostDecodedBytes = ({ length }: Buffer): number => Math.min(LARGEST_BODY_BYTES, mostGrownBytes(length));

const isPlain = (encoding: string): boolean => ['identity', ''].includes(encoding.trim().toLowerCase());

/** The longest that a body may become when it is decoded. */
export const mostPlainBytes = (bytes: Buffer, encoding = 'identity'): number =>
  isPlain(encoding) ? bytes.length : mostDecodedBytes(bytes);

/** Node decodes so much at a time, and this thread has to ask for each: with 16 kB, as usual, a bomb takes 600 turns of a busy thread. */
const STEP_BYTES = 1024 * 1024;
const limits = (bytes: Buffer) => ({ maxOutputLength: mostDecodedBytes(bytes), chunkSize: STEP_BYTES });

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Promise<Uint8Array>>> = {
  gzip: (bytes) => promisify(gunzip)(bytes, limits(bytes)),
  'x-gzip': (bytes) => promisify(gunzip)(bytes, limits(bytes)),
  deflate: (bytes) => promisify(inflate)(bytes, limits(bytes)),
  br: (bytes) => promisify(brotliDecompress)(bytes, limits(bytes)),
  zstd: unzstd,
};

/**
 * The body without its content encoding: the same object where there is none; undefined where it is unknown, broken, or
 * longer than the limit or 200 times as long when decoded.
 */
export async function decodedBody(bytes: Buffer, encoding = 'identity'): Promise<Uint8Array | undefined> {
  if (isPlain(encoding)) return bytes;
  try {
    return await DECODERS[encoding.trim().toLowerCase()]?.(bytes);
  } catch {
    return undefined;
  }
}

/** In slices, so that a bomb is stopped before it is whole in memory, and this thread does other work too. @throws when it is broken or too long. */
async function unzstd(bytes: Buffer): Promise<Uint8Array> {
  const SLICE_BYTES = 4 * 1024;
  const chunks: Uint8Array[] = [];
  const mostBytes = mostDecodedBytes(bytes);
  let sizeBytes = 0;
  const stream = new Decompress((chunk) => {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) throw new RangeError('Too long.');
    chunks.push(chunk);
  });
  const slice = new TimeSlice();
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    stream.push(bytes.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= bytes.length);
    if (slice.isOver()) await slice.next();
  }
  return Buffer.concat(chunks);
}
