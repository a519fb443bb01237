import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { nextSafeCut, sliceText } from '../../../src/tokens/exact/split-points.ts';
import { addFeatures } from '../../../src/tokens/features.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';
import { fuzzedText, randomFrom } from '../fuzzed-text.ts';

describe.each(['o200k_base', 'cl100k_base'] as const)('nextSafeCut under %s', (encoding) => {
  const oracle = get_encoding(encoding);
  afterAll(() => oracle.free());
  const count = (text: string): number => oracle.encode_ordinary(text).length;

  test('finds cuts that change no count of tiktoken, between any texts', () => {
    const random = randomFrom(31);
    let cuts = 0;
    const wrong: unknown[] = [];
    for (let round = 0; round < 5000; round++) {
      const text = fuzzedText(random, 12);
      const whole = count(text);
      for (let at = nextSafeCut(text, 1); at < text.length; at = nextSafeCut(text, at + 1)) {
        cuts++;
        if (count(text.slice(0, at)) + count(text.slice(at)) !== whole) wrong.push([text, at]);
      }
    }
    expect(wrong).toEqual([]);
    expect(cuts).toBeGreaterThan(10_000);
  });
});

describe('nextSafeCut', () => {
  test.each([
    ['a b', 1, 1],
    ['ab', 1, 2],
    ['line\nnext', 1, 4],
    ["don't", 1, 5],
    ['x = 12', 2, 3],
    ['   ', 1, 3],
    ['', 0, 0],
    ['a b', 9, 3],
  ])('in %j from %i is %i', (text, from, expected) => {
    expect(nextSafeCut(text, from)).toBe(expected);
  });

  test('has one every few characters of source code', () => {
    const code = Object.values(import.meta).join('\n') + nextSafeCut.toString() + sliceText.toString();
    const slices = [...sliceText(code, 1)];
    expect(Math.max(...slices.map((slice) => slice.length))).toBeLessThan(40);
  });
});

describe('sliceText', () => {
  test('returns slices whose features add up to those of the text', () => {
    const random = randomFrom(8);
    for (const family of ['o200k', 'cl100k', 'claude-4.7', 'gemini'] as const) {
      const tokenizer = createTokenizer(family);
      for (let round = 0; round < 100; round++) {
        const text = fuzzedText(random, 300);
        const slices = [...sliceText(text, 1 + Math.floor(random() * 100))];
        expect(slices.join('')).toBe(text);
        const sum = slices.map((slice) => tokenizer.measure(slice)).reduce(addFeatures, tokenizer.measure(''));
        expect(sum).toEqual(tokenizer.measure(text));
        expect(tokenizer.tokensOf(sum)).toBe(tokenizer.count(text));
      }
    }
  });
});
