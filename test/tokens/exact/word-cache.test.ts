import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWordCache } from '../../../src/tokens/exact/word-cache.ts';
import { runs } from '../../property-runs.ts';

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** Counts that differ between words, up to the limit of an entry. */
function fingerprint(units: Uint16Array, start: number, end: number): number {
  let hash = 7;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + units[at]!) & 0x3fff;
  return hash;
}

describe('createWordCache', () => {
  test('counts each word once', () => {
    const asked: string[] = [];
    const cache = createWordCache((units, start, end) => {
      asked.push(String.fromCharCode(...units.subarray(start, end)));
      return end - start;
    });
    for (const word of [
      'a',
      'word',
      'sevenun',
      'eight un',
      'nine unit',
      '中',
      '中文字国语',
      'word',
      '中',
      'nine unit',
      'a',
    ]) {
      expect(cache.countPiece(unitsOf(word), 0, word.length)).toBe(word.length);
    }
    expect(asked).toEqual(['a', 'word', 'sevenun', 'eight un', 'nine unit', '中', '中文字国语']);
  });

  test('finds a word anywhere in a text', () => {
    const cache = createWordCache(fingerprint);
    const text = unitsOf('one two one');
    expect(cache.countPiece(text, 8, 11)).toBe(cache.countPiece(text, 0, 3));
  });

  test('does not keep words of more than 64 units', () => {
    let asked = 0;
    const cache = createWordCache(() => ++asked);
    const word = unitsOf('x'.repeat(65));
    cache.countPiece(word, 0, 65);
    cache.countPiece(word, 0, 65);
    expect(asked).toBe(2);
    cache.countPiece(word, 0, 64);
    expect(cache.countPiece(word, 0, 64)).toBe(3);
  });

  test('never confuses two words, even when it is full and cleared', () => {
    const cache = createWordCache(fingerprint);
    for (const wordOf of [
      (at: number) => at.toString(36),
      (at: number) => `_${at}`,
      (at: number) => String.fromCharCode(at & 0xffff, at >> 3),
      (at: number) => `long word number ${at}`,
      (at: number) => `\0\0${String.fromCharCode(at & 0xff)}${String.fromCharCode((at >> 8) & 0xff)}\0`,
    ]) {
      for (let round = 0; round < 2; round++) {
        for (let at = 0; at < 50_000; at++) {
          const word = unitsOf(wordOf(at));
          const got = cache.countPiece(word, 0, word.length);
          if (got !== fingerprint(word, 0, word.length)) expect.fail(`wrong count for ${wordOf(at)}`);
        }
      }
    }
  });

  test('returns the count of any word of any units, repeatedly', () => {
    const cache = createWordCache(fingerprint);
    const word = fc.array(fc.oneof(fc.constantFrom(0, 1, 32, 255, 256), fc.nat(0xffff)), {
      minLength: 1,
      maxLength: 70,
    });
    fc.assert(
      fc.property(word, (codes) => {
        const units = Uint16Array.from(codes);
        const expected = fingerprint(units, 0, units.length);
        expect(cache.countPiece(units, 0, units.length)).toBe(expected);
        expect(cache.countPiece(units, 0, units.length)).toBe(expected);
      }),
      { numRuns: runs(3000) },
    );
  });

  test('counts again after it was cleared', () => {
    let asked = 0;
    const cache = createWordCache(() => ++asked);
    const word = unitsOf('word');
    expect(cache.countPiece(word, 0, 4)).toBe(1);
    cache.clear();
    expect(cache.countPiece(word, 0, 4)).toBe(2);
  });
});
