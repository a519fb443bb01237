import { describe, expect, test } from 'vitest';
import type { MediaBlock } from '../../../src/content/content.ts';
import { countBlock } from '../../../src/tokens/entries/entry.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';

const claude = createTokenizer('claude');
const base64 = (...parts: readonly (Uint8Array | string)[]): string =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString('base64');
const media = (mimeType: string, data: string, more: Partial<MediaBlock> = {}): MediaBlock => ({
  type: 'media',
  mimeType,
  data,
  encoding: 'base64',
  ...more,
});

/** The start of a PNG of this size, then this many random bytes. */
function png(width: number, height: number, noiseBytes = 0): string {
  const header = Buffer.alloc(33);
  header.write('89504e470d0a1a0a0000000d49484452', 'hex');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return base64(header, Buffer.alloc(noiseBytes, 'noise'));
}

/** A JPEG whose size follows this many bytes of metadata. */
function jpeg(width: number, height: number, metadataBytes: number): string {
  const segments: Buffer[] = [Buffer.from('ffd8', 'hex')];
  for (let left = metadataBytes; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000);
    const segment = Buffer.alloc(length + 4, 1);
    segment.write('ffe2', 0, 'hex');
    segment.writeUInt16BE(length + 2, 2);
    segments.push(segment);
  }
  const frame = Buffer.from('ffc00011080000000003012200021101031101ffd9', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return base64(...segments, frame);
}

describe('media', () => {
  test('counts its pixels, not its bytes (docs/token-counting.md)', () => {
    expect(countBlock(media('image/png', png(1000, 1000)), claude)).toBe(1334);
    expect(countBlock(media('image/png', png(1000, 1000, 3_000_000)), claude)).toBe(1334);
    expect(countBlock(media('image/png', png(384, 384)), createTokenizer('gemini'))).toBe(258);
    expect(countBlock(media('image/png', png(1024, 1024)), createTokenizer('o200k'))).toBe(765);
  });

  test('finds the size of a JPEG after long metadata', () => {
    for (const metadataBytes of [16, 2000, 90_000, 900_000]) {
      expect(countBlock(media('image/jpeg', jpeg(1500, 500, metadataBytes)), claude)).toBe(1000);
    }
  });

  test('reads the base64 of a data URL', () => {
    const url = `data:image/png;base64,${png(1000, 1000)}`;
    expect(countBlock(media('image/png', url, { encoding: 'url' }), claude)).toBe(1334);
    expect(countBlock(media('image/png', url), claude)).toBe(1334);
  });

  test('a truncated image has one count, whatever lies behind it in memory', () => {
    // An icon of 16 by 32 pixels begins at every place where the pool puts the next small buffer.
    const { buffer } = Buffer.allocUnsafe(8);
    const icon = [0, 0, 1, 0, 1, 0, 16, 32];
    new Uint8Array(buffer).set(Array.from({ length: buffer.byteLength }, (_, at) => icon[at % icon.length]!));
    expect(countBlock(media('image/png', 'AA=='), claude)).toBe(1600);
  });

  test('counts as the largest image if its size cannot be read', () => {
    const unsized = [
      media('image/png', 'https://example.com/picture.png', { encoding: 'url' }),
      media('image/png', base64('no image at all')),
      media('image/png', ''),
      media('image/png', '%%% not base64 %%%'),
      media('image/png', 'data:image/png', { encoding: 'url' }),
    ];
    for (const block of unsized) expect(countBlock(block, claude)).toBe(1600);
  });

  test('adds the caption', () => {
    const caption = 'The login page after the change';
    expect(countBlock(media('image/png', png(1000, 1000), { caption }), claude)).toBe(1334 + claude.count(caption));
  });

  test('counts the pages of a PDF, or one per 50 KB if they are compressed', () => {
    const pages = base64('%PDF-1.4\n', '<< /Type /Page >>\n'.repeat(3), '<< /Type /Pages /Count 3 >>');
    expect(countBlock(media('application/pdf', pages), claude)).toBe(3 * 3000);
    expect(countBlock(media('application/pdf', base64(Buffer.alloc(120_000))), claude)).toBe(3 * 3000);
    expect(countBlock(media('application/pdf', base64('%PDF-1.7')), claude)).toBe(3000);
  });

  test('counts the text of a text file', () => {
    expect(countBlock(media('text/plain', base64('hello world, grüße')), claude)).toBe(
      claude.count('hello world, grüße'),
    );
    expect(countBlock(media('application/json', base64('{"a":1}')), claude)).toBe(claude.count('{"a":1}'));
  });

  test('counts sound and video by their size', () => {
    expect(countBlock(media('audio/mp3', base64(Buffer.alloc(30_000))), createTokenizer('gemini'))).toBe(60);
  });
});
