import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tokenizer } from '../../src/tokens/family.ts';

/** What every tokenizer keeps to, whatever it counts. */
export function tokenizerContract(name: string, create: () => Tokenizer): void {
  describe(`the tokenizer "${name}"`, () => {
    const tokenizer = create();

    test('says which family it counts for', () => {
      expect(tokenizer.family).toBe(name);
    });

    test('counts nothing in nothing and something in anything', () => {
      expect(tokenizer.count('')).toBe(0);
      for (const text of ['a', ' ', '\n', '0', '中', '👍', '\0', '\ufeff', '\ud800', 'Ж']) {
        expect(tokenizer.count(text)).toBeGreaterThan(0);
      }
    });

    test('gives whole numbers for any text, the same ones every time', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
          const count = tokenizer.count(text);
          expect(Number.isSafeInteger(count)).toBe(true);
          expect(count).toBeGreaterThanOrEqual(text === '' ? 0 : 1);
          expect(tokenizer.count(text)).toBe(count);
        }),
        { numRuns: 500 },
      );
    });

    test('takes the text of special tokens for ordinary text', () => {
      for (const text of ['<|endoftext|>', '<|im_start|>', '<start_of_turn>', '\n\nHuman: ']) {
        expect(tokenizer.count(text)).toBeGreaterThan(1);
      }
    });

    test('counts long runs of one character without a gap', () => {
      for (const unit of ['a', ' ', '\n', '=', '中', '0']) {
        const once = tokenizer.count(unit.repeat(50_000));
        const twice = tokenizer.count(unit.repeat(100_000));
        expect(twice / once).toBeGreaterThan(1.9);
        expect(twice / once).toBeLessThan(2.1);
      }
    });

    test('finds between one token per character and one per twelve in ordinary text', () => {
      for (const text of [
        'The gate counts tokens before every send and prunes what is stale.',
        'export function add(left: number, right: number): number { return left + right; }',
        '{"path":"src/main.ts","offset":120,"limit":40}',
      ]) {
        expect(tokenizer.count(text)).toBeLessThanOrEqual(text.length);
        expect(tokenizer.count(text)).toBeGreaterThanOrEqual(text.length / 12);
      }
    });
  });
}
