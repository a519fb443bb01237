import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Decompress } from 'fzstd';

/** Takes the content encoding off a copy of an answer. */
export interface CopyDecoder {
  /** Bytes that it has not decoded yet. */
  readonly waitingBytes: number;
  write(chunk: Uint8Array): void;
  /** Resolves when all is decoded that can be. */
  end(): Promise<void>;
  /** Ends it at once; it may be called from `take`. */
  destroy(): void;
}

/** Reads decoded bytes. */
type Take = (bytes: Uint8Array) => void;

/** The decoder of a content encoding. That of an unknown one decodes nothing. */
export function copyDecoder(encoding: string, take: Take): CopyDecoder {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return plainDecoder(take);
    case 'gzip':
    case 'x-gzip':
      return streamDecoder(createGunzip(), take);
    case 'deflate':
      return streamDecoder(createInflate(), take);
    case 'br':
      return streamDecoder(createBrotliDecompress(), take);
    case 'zstd':
      return zstdDecoder(take);
    default:
      return plainDecoder(() => {});
  }
}

const plainDecoder = (write: Take): CopyDecoder => ({
  waitingBytes: 0,
  write,
  end: async () => {},
  destroy: () => {},
});

function streamDecoder(stream: ReturnType<typeof createGunzip>, take: Take): CopyDecoder {
  const ended = new Promise<void>((resolve) =>
    stream
      .on('end', resolve)
      .on('error', () => resolve())
      .on('close', resolve),
  );
  stream.on('data', take);
  return {
    get waitingBytes() {
      return stream.writableLength;
    },
    write: (chunk) => {
      if (!stream.destroyed) stream.write(chunk);
    },
    end: () => {
      if (!stream.destroyed) stream.end();
      return ended;
    },
    destroy: () => stream.destroy(),
  };
}

/** This decoder works at once: a part of a bomb is not left to it as a whole. */
const ZSTD_SLICE_BYTES = 4 * 1024;

function zstdDecoder(take: Take): CopyDecoder {
  let isOver = false;
  const stream = new Decompress((bytes) => {
    take(bytes);
    if (isOver) throw new RangeError('Too long.');
  });
  const write = (chunk: Uint8Array): void => {
    try {
      for (let at = 0; at < chunk.length && !isOver; at += ZSTD_SLICE_BYTES)
        stream.push(chunk.subarray(at, at + ZSTD_SLICE_BYTES));
    } catch {
      // Broken, or too long: what was read of it remains.
      isOver = true;
    }
  };
  const destroy = (): void => {
    isOver = true;
  };
  return { waitingBytes: 0, write, end: async () => {}, destroy };
}
