import { describe, expect, test } from 'vitest';
import {
  NO_RANK,
  PACK_FORMAT,
  readPacked,
  SLOT_ID_MASK,
  type Vocabulary,
} from '../../../src/tokens/vocabulary/vocabulary.ts';
import { packVocabulary } from '../../../tools/build/pack-vocabulary.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ranks = `! 0 ${base64('a')} ${base64('b')} ${base64('ab')}\n! 5 ${base64('longer')}\n`;

const vocabularyOf = (lines: string): Vocabulary => readPacked('o200k_base', packVocabulary('o200k_base', lines));

describe('readPacked', () => {
  test('finds what packVocabulary wrote, without unused ids', () => {
    const { starts, bytes, longestBytes, pairRanks, slots } = vocabularyOf(ranks);
    const tokens = [0, 1, 2, 3, 4, 5].map((id) => Buffer.from(bytes.subarray(starts[id], starts[id + 1])).toString());
    expect(tokens).toEqual(['a', 'b', 'ab', '', '', 'longer']);
    expect(longestBytes).toBe(6);
    expect(pairRanks[(97 << 8) | 98]).toBe(2);
    expect(pairRanks[(98 << 8) | 97]).toBe(NO_RANK);
    const ids = [...slots].filter((slot) => slot !== 0).map((slot) => (slot & SLOT_ID_MASK) - 1);
    expect(ids.sort()).toEqual([0, 1, 2, 5]);
  });

  test('flags borders inside tokens that cut a character, and no others', () => {
    const cut = Buffer.concat([Buffer.from('é中'), Buffer.from('中').subarray(0, 2)]).toString('base64');
    const { unsafeBorders } = vocabularyOf(`! 0 ${base64('中é')} ${cut}`);
    const e = Buffer.from('é');
    const zhong = Buffer.from('中');
    expect(unsafeBorders[(e[1]! << 8) | zhong[0]!]).toBe(1);
    expect(unsafeBorders[(zhong[2]! << 8) | zhong[0]!]).toBe(1);
    expect(unsafeBorders[(zhong[2]! << 8) | e[0]!]).toBe(0);
  });

  test('rejects bytes that are truncated, longer than in the header or of another format', () => {
    const packed = new Uint8Array(packVocabulary('o200k_base', ranks));
    const read = (bytes: Uint8Array): Vocabulary => {
      const shared = new SharedArrayBuffer(bytes.length);
      new Uint8Array(shared).set(bytes);
      return readPacked('o200k_base', shared);
    };
    expect(read(packed).longestBytes).toBe(6);
    for (const length of [0, 7, 10, 20, 24, packed.length - 1]) {
      expect(() => read(packed.slice(0, length))).toThrow(RangeError);
    }
    expect(() => read(Buffer.concat([packed, Buffer.alloc(4)]))).toThrow(/bytes instead of \d+/);
    expect(() => read(packed.with(0, PACK_FORMAT + 1))).toThrow(/without the header of a packed vocabulary/);
  });

  test('rejects more tokens than ids fit into a slot', () => {
    expect(() => packVocabulary('o200k_base', `! ${SLOT_ID_MASK} ${base64('a')}`)).toThrow(RangeError);
    expect(packVocabulary('o200k_base', `! ${SLOT_ID_MASK - 2} ${base64('a')}`).byteLength).toBeGreaterThan(0);
  });
});
