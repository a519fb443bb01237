import { createHook } from 'node:async_hooks';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { decodedBody } from '../../src/proxy/intake/request-body.ts';

/** A frame of blocks that are written as they are, of 128 kB each. Source: RFC 8878, sections 3.1.1.1 and 3.1.1.2. */
function storedZstd(blocks: number): Buffer {
  const size = 128 * 1024;
  const block = (at: number): Buffer => {
    const header = (size << 3) | (at === blocks - 1 ? 1 : 0);
    return Buffer.concat([Buffer.from([header & 255, (header >> 8) & 255, header >> 16]), Buffer.alloc(size, at)]);
  };
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, at) => block(at))]);
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a bomb in %s takes few turns of the thread', async (encoding, encode) => {
  const decoders = new Set<number>();
  let turns = 0;
  const hook = createHook({
    init: (id, type) => type === 'ZLIB' && decoders.add(id),
    before: (id) => {
      if (decoders.has(id)) turns++;
    },
  });
  const bomb = encode(Buffer.alloc(16 * 1024 * 1024));
  hook.enable();
  try {
    expect(await decodedBody(bomb, encoding)).toBeUndefined();
  } finally {
    hook.disable();
  }
  expect(turns).toBeGreaterThan(0);
  expect(turns).toBeLessThan(10);
});

test('the thread does other work while a body in zstd is decoded', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
  let turns = 0;
  let isDecoded = false;
  const turn = (): void => {
    if (isDecoded) return;
    turns++;
    setImmediate(turn);
  };
  setImmediate(turn);
  const plain = await decodedBody(storedZstd(40), 'zstd').finally(() => {
    isDecoded = true;
    vi.restoreAllMocks();
  });
  expect(plain?.length).toBe(40 * 128 * 1024);
  expect(turns).toBeGreaterThan(100);
});
