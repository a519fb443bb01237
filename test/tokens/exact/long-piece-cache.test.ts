import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPieceCounter } from '../../../src/tokens/exact/byte-pair-merge.ts';
import { createLongPieceCache } from '../../../src/tokens/exact/long-piece-cache.ts';
import { sharedVocabulary } from '../../../src/tokens/vocabulary/load-vocabulary.ts';
import { runs } from '../../property-runs.ts';

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

describe('the cache of long pieces', () => {
  test('counts the same long piece once, and short ones each time', () => {
    const asked: number[] = [];
    const cache = createLongPieceCache((_, start, end) => {
      asked.push(end - start);
      return end;
    });
    const long = unitsOf('ab'.repeat(2_000));
    const other = unitsOf('ba'.repeat(2_000));
    for (const units of [long, other, long, other, long]) expect(cache.countPiece(units, 0, units.length)).toBe(4_000);
    cache.countPiece(long, 0, 100);
    cache.countPiece(long, 0, 100);
    expect(asked).toEqual([4_000, 4_000, 100, 100]);
    cache.clear();
    cache.countPiece(long, 0, long.length);
    expect(asked).toHaveLength(5);
  });

  test('forgets the piece that it has kept for the longest time when it is full', () => {
    let asked = 0;
    const cache = createLongPieceCache(() => ++asked);
    const piece = (at: number): Uint16Array => new Uint16Array(0x10000).fill(at);
    for (let at = 0; at < 65; at++) cache.countPiece(piece(at), 0, 0x10000);
    cache.countPiece(piece(64), 0, 0x10000);
    cache.countPiece(piece(1), 0, 0x10000);
    expect(asked).toBe(65);
    cache.countPiece(piece(0), 0, 0x10000);
    expect(asked).toBe(66);
  });

  test.each(['o200k_base', 'cl100k_base'] as const)('gives the counts of %s that merging gives', (encoding) => {
    const countPiece = createPieceCounter(sharedVocabulary(encoding));
    const cache = createLongPieceCache(countPiece);
    const text = fc
      .array(fc.constantFrom('a', 'the', 'qz', 'ß', '中', '-', 'function', '😀'), { minLength: 900, maxLength: 3_000 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(20), (texts, start) => {
        for (const units of [...texts, ...texts].map(unitsOf))
          expect(cache.countPiece(units, start, units.length)).toBe(countPiece(units, start, units.length));
      }),
      { numRuns: runs(20) },
    );
  });
});
