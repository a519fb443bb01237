import { readFileSync } from 'node:fs';
import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { createExactCounter } from '../../../src/tokens/exact/exact-counter.ts';
import { sharedVocabulary } from '../../../src/tokens/vocabulary/load-vocabulary.ts';
import type { Encoding } from '../../../src/tokens/vocabulary/vocabulary.ts';
import { haveRealSessions, realSessions } from '../../real-sessions.ts';
import { fuzzedText, randomFrom } from '../fuzzed-text.ts';

const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];

describe.each(ENCODINGS)('the exact counter of %s', (encoding) => {
  const oracle = get_encoding(encoding);
  const expected = (text: string): number => oracle.encode_ordinary(text).length;
  const counter = createExactCounter(sharedVocabulary(encoding));
  const smallBlocks = createExactCounter(sharedVocabulary(encoding), 5);
  afterAll(() => oracle.free());

  test('counts nothing in an empty text', () => {
    expect(counter.count('')).toBe(0);
  });

  test('equals tiktoken on 12,000 fuzzed texts, for any block size', () => {
    const random = randomFrom(20);
    const wrong: unknown[] = [];
    for (let round = 0; round < 12_000; round++) {
      const text = fuzzedText(random, round % 100 === 0 ? 400 : 20);
      const want = expected(text);
      if (counter.count(text) !== want || smallBlocks.count(text) !== want) {
        wrong.push({ text, want, got: counter.count(text), inSmallBlocks: smallBlocks.count(text) });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('gives the same counts with a cold cache', () => {
    const random = randomFrom(7);
    for (let round = 0; round < 200; round++) {
      const text = fuzzedText(random, 60);
      const warm = counter.count(text);
      counter.clearCache();
      expect(counter.count(text)).toBe(warm);
    }
  });

  test.each([
    ['one letter', 'a', 3000],
    ['spaces', ' ', 3000],
    ['line breaks', '\n', 3000],
    ['two letters', 'ab', 1500],
    ['a Chinese character', '中', 800],
    ['emoji', '👍🏽', 400],
    ['apostrophes', "a'", 1500],
    ['combining marks', '!\u0301', 700],
    ['slashes', '/', 3000],
    ['lone surrogates', '\ud83d', 800],
    ['special tokens', '<|endoftext|>', 200],
    ['zero bytes', '\0', 2000],
    ['byte order marks', '\ufeff', 900],
    ['Hangul', '한국', 500],
  ])('equals tiktoken on a run of %s', (_, unit, times) => {
    const text = unit.repeat(times);
    expect(counter.count(text)).toBe(expected(text));
    expect(smallBlocks.count(text)).toBe(expected(text));
    expect(counter.count(`x ${text} y`)).toBe(expected(`x ${text} y`));
  });

  test('equals tiktoken on random letters and on binary data', () => {
    const random = randomFrom(3);
    const letters = Array.from({ length: 4000 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
    const binary = Array.from({ length: 20_000 }, () => String.fromCharCode(Math.floor(random() * 256))).join('');
    const units = Array.from({ length: 20_000 }, () => String.fromCharCode(Math.floor(random() * 65_536))).join('');
    for (const text of [letters, binary, units]) expect(counter.count(text)).toBe(expected(text));
  });

  test('differs by at most two tokens per megabyte if a piece is longer than 64 K units', () => {
    const tokensOfThousandLetters = expected('a'.repeat(1024)) / 1024;
    for (const megabytes of [1, 2]) {
      const length = megabytes * 2 ** 20;
      const error = Math.abs(counter.count('a'.repeat(length)) - tokensOfThousandLetters * length);
      expect(error).toBeLessThanOrEqual(2 * megabytes);
    }
  });

  test.runIf(haveRealSessions)('equals tiktoken on every recorded file', { timeout: 300_000 }, () => {
    const wrong = realSessions('.').filter((file) => {
      const text = readFileSync(file, 'utf8');
      return counter.count(text) !== expected(text);
    });
    expect(wrong).toEqual([]);
  });
});
