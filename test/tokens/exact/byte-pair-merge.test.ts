import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { createPieceCounter } from '../../../src/tokens/exact/byte-pair-merge.ts';
import { countLongPiece } from '../../../src/tokens/exact/long-piece.ts';
import { countUniformPiece } from '../../../src/tokens/exact/uniform-piece.ts';
import { sharedVocabulary } from '../../../src/tokens/vocabulary/load-vocabulary.ts';
import { NO_RANK, readPacked } from '../../../src/tokens/vocabulary/vocabulary.ts';
import { packVocabulary } from '../../../tools/build/pack-vocabulary.ts';
import { randomFrom } from '../fuzzed-text.ts';

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** A vocabulary of these tokens, in the order of their ranks. */
function vocabularyOf(tokens: readonly string[]) {
  const encoded = tokens.map((token) => Buffer.from(token, 'latin1').toString('base64'));
  return readPacked('o200k_base', packVocabulary('o200k_base', `! 0 ${encoded.join(' ')}`));
}

describe('createPieceCounter', () => {
  const count = (tokens: readonly string[], piece: string): number =>
    createPieceCounter(vocabularyOf(tokens))(unitsOf(piece), 0, piece.length);

  test('merges the pair of the lowest rank first, the leftmost among equals', () => {
    expect(count(['ab', 'bc', 'abc'], 'abc')).toBe(1);
    expect(count(['bc', 'ab'], 'abc')).toBe(2);
    expect(count(['ab', 'cd', 'abcd', 'bc'], 'abcd')).toBe(1);
    expect(count(['aa'], 'aaaaa')).toBe(3);
    expect(count(['aa', 'aaa'], 'aaaa')).toBe(2);
  });

  test('counts a piece that is a token as one, even if merges do not lead to it', () => {
    expect(count(['bc', 'abcd'], 'abcd')).toBe(1);
  });

  test('counts bytes that merge with nothing one by one', () => {
    expect(count(['zz'], 'é')).toBe(2);
    expect(count(['zz'], '👍')).toBe(4);
    expect(count(['zz'], '\ud83d')).toBe(3);
  });
});

describe('countUniformPiece', () => {
  test('equals a merge of all pairs one by one, in any order of ranks', () => {
    const random = randomFrom(11);
    for (let round = 0; round < 2000; round++) {
      const ranks = new Map(Array.from({ length: 12 }, (_, at) => [at + 2, Math.floor(random() * 100)]));
      if (new Set(ranks.values()).size < ranks.size) continue;
      for (const bytes of ranks.keys()) if (random() < 0.4) ranks.delete(bytes);
      const rankOf = (bytes: number): number => ranks.get(bytes) ?? NO_RANK;
      const length = 1 + Math.floor(random() * 80);
      expect(countUniformPiece(length, rankOf)).toBe(countLongPiece(length, (start, end) => rankOf(end - start)));
    }
  });

  test('asks for few ranks, however long the piece is', () => {
    const vocabulary = sharedVocabulary('o200k_base');
    const ranks = new Map<number, number>();
    for (let id = 0; id < vocabulary.starts.length - 1; id++) {
      const token = vocabulary.bytes.subarray(vocabulary.starts[id]!, vocabulary.starts[id + 1]!);
      if (token.every((byte) => byte === 10)) ranks.set(token.length, id);
    }
    let asked = 0;
    const rankOf = (bytes: number): number => {
      asked++;
      return ranks.get(bytes) ?? NO_RANK;
    };
    const count = countUniformPiece(65_536, rankOf);
    expect(count).toBe(countLongPiece(65_536, (start, end) => ranks.get(end - start) ?? NO_RANK));
    expect(asked).toBeLessThan(1000);
  });
});

describe('countLongPiece', () => {
  test('equals a naive merge of a toy vocabulary', () => {
    const ranks = new Map(['ab', 'ba', 'aba', 'abab', 'bb', 'aab'].map((token, rank) => [token, rank]));
    const naive = (text: string): number => {
      const parts = [...text];
      for (;;) {
        const rankAt = (at: number): number => ranks.get(`${parts[at]}${parts[at + 1]}`) ?? NO_RANK;
        const lowest = parts.slice(1).reduce((best, _, at) => (rankAt(at) < rankAt(best) ? at : best), 0);
        if (parts.length < 2 || rankAt(lowest) === NO_RANK) return parts.length;
        parts.splice(lowest, 2, `${parts[lowest]}${parts[lowest + 1]}`);
      }
    };
    const random = randomFrom(5);
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 60) }, () => (random() < 0.5 ? 'a' : 'b')).join('');
      const rankOf = (start: number, end: number): number => ranks.get(text.slice(start, end)) ?? NO_RANK;
      expect(countLongPiece(text.length, rankOf)).toBe(naive(text));
    }
  });
});

describe('a piece of o200k_base', () => {
  const oracle = get_encoding('o200k_base');
  afterAll(() => oracle.free());
  const countPiece = createPieceCounter(sharedVocabulary('o200k_base'));

  test.each([
    ['letters', 'etaoinshrdlu'],
    ['Chinese', '的一是不了人我在有他这中大来上国'],
    ['Devanagari', 'कखगघचछजझटठडढतथदधनपफबभमयरलव'],
    ['Hangul', '가나다라마바사아자차카타파하'],
    ['Japanese', 'あいうえおかきくけこアイウエオ日本語'],
  ])('of %s counts as in tiktoken around the length at which the queue is used', (_, alphabet) => {
    const random = randomFrom(9);
    const characters = [...alphabet];
    for (let length = 1; length < 200; length++) {
      const piece = Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('');
      expect(countPiece(unitsOf(piece), 0, piece.length)).toBe(oracle.encode_ordinary(piece).length);
    }
  });

  test.each(['\n', ' ', 'a', '=', '-'])('of %j alone counts as in tiktoken, however long it is', (character) => {
    for (const length of [160, 161, 162, 255, 256, 257, 999, 4001]) {
      const piece = character.repeat(length);
      expect(countPiece(unitsOf(piece), 0, length)).toBe(oracle.encode_ordinary(piece).length);
    }
  });
});
