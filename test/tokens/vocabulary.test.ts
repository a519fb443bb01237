import { describe, expect, test } from 'vitest';
import { packVocabulary } from '../../src/tokens/pack-vocabulary.ts';
import { indexVocabulary, NO_RANK } from '../../src/tokens/vocabulary.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ranks = `! 0 ${base64('a')} ${base64('b')} ${base64('ab')}\n! 5 ${base64('longer')}\n`;

describe('indexVocabulary', () => {
  test('finds what packVocabulary wrote, holes left out', () => {
    const { starts, bytes, longestBytes, pairRanks, slots } = indexVocabulary('o200k_base', packVocabulary(ranks));
    const tokens = [0, 1, 2, 3, 4, 5].map((id) => Buffer.from(bytes.subarray(starts[id], starts[id + 1])).toString());
    expect(tokens).toEqual(['a', 'b', 'ab', '', '', 'longer']);
    expect(longestBytes).toBe(6);
    expect(pairRanks[(97 << 8) | 98]).toBe(2);
    expect(pairRanks[(98 << 8) | 97]).toBe(NO_RANK);
    expect([...slots].filter((value, at) => at % 2 === 1 && value !== 0).sort()).toEqual([1, 2, 3, 6]);
  });

  test('marks borders inside tokens that cut a character, and no others', () => {
    const cut = Buffer.concat([Buffer.from('é中'), Buffer.from('中').subarray(0, 2)]).toString('base64');
    const { unsafeBorders } = indexVocabulary('o200k_base', packVocabulary(`! 0 ${base64('中é')} ${cut}`));
    const [e, zhong] = [Buffer.from('é'), Buffer.from('中')];
    expect(unsafeBorders[(e[1]! << 8) | zhong[0]!]).toBe(1);
    expect(unsafeBorders[(zhong[2]! << 8) | zhong[0]!]).toBe(1);
    expect(unsafeBorders[(zhong[2]! << 8) | e[0]!]).toBe(0);
  });

  test('refuses bytes that are cut short', () => {
    const packed = packVocabulary(ranks);
    for (const length of [0, 7, 10, packed.length - 1]) {
      expect(() => indexVocabulary('o200k_base', packed.slice(0, length))).toThrow(RangeError);
    }
  });
});
