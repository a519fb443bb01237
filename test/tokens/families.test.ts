import { describe, expect, test } from 'vitest';
import { createTokenizer, type FamilyName, familyNamed, TOKENIZER_FAMILIES } from '../../src/tokens/index.ts';
import { tokenizerContract } from '../contracts/tokenizer.ts';

const NAMES = Object.keys(TOKENIZER_FAMILIES) as FamilyName[];
for (const name of NAMES) tokenizerContract(name, () => createTokenizer(name));

describe('TOKENIZER_FAMILIES', () => {
  test('contains each family under its own name', () => {
    expect(NAMES).toEqual(['o200k', 'cl100k', 'claude', 'claude-4.7', 'gemini', 'unknown']);
    expect(NAMES.map((name) => TOKENIZER_FAMILIES[name].name)).toEqual(NAMES);
  });

  test('falls back to the unknown family', () => {
    expect(familyNamed('gemini').name).toBe('gemini');
    expect(familyNamed('llama').name).toBe('unknown');
    expect(familyNamed('toString').name).toBe('unknown');
  });
});

describe('estimates', () => {
  const features = { tokens: 1000, digits: 60, digitPieces: 30, codePoints: 4000, nonAscii: 100 };

  test.each([
    ['o200k', 1000],
    ['cl100k', 1000],
    ['claude', 1250],
    ['claude-4.7', 0.657 * 1000 + 0.231 * 4000 + 0.251 * 100],
    ['gemini', 1.115 * 970 + 0.97 * 60 - 0.26 * 100],
    ['unknown', 1200],
  ] as const)('of %s follow its formula (docs/token-counting.md)', (name, expected) => {
    expect(TOKENIZER_FAMILIES[name].tokensOf(features)).toBeCloseTo(expected, 9);
  });

  test('of gemini are not below the lowest measured ratio for long words that are not Latin', () => {
    const cyrillic = { tokens: 100, digits: 0, digitPieces: 0, codePoints: 450, nonAscii: 400 };
    expect(TOKENIZER_FAMILIES.gemini.tokensOf(cyrillic)).toBe(75);
  });

  test.each(NAMES)('of %s count a text as its features say', (name) => {
    const tokenizer = createTokenizer(name);
    for (const text of ['', 'a1 22 4567 ٣ é👍\ud800', 'const price = 1234.5; // naïve 日本語']) {
      expect(tokenizer.count(text)).toBe(tokenizer.tokensOf(tokenizer.measure(text)));
    }
  });

  test('measure digits, their pieces and characters outside ASCII', () => {
    expect(createTokenizer('o200k').measure('a1 22 4567 ٣ é👍\ud800')).toEqual({
      tokens: createTokenizer('o200k').count('a1 22 4567 ٣ é👍\ud800'),
      digits: 7,
      digitPieces: 4,
      codePoints: 16,
      nonAscii: 4,
    });
  });
});

describe('images', () => {
  test.each([
    ['o200k', 1024, 1024, 765],
    ['o200k', 2048, 4096, 1105],
    ['o200k', 512, 512, 255],
    ['claude', 1000, 1000, 1334],
    ['claude', 200, 200, 54],
    ['claude', 4000, 4000, 1600],
    ['claude-4.7', 2000, 1500, 4000],
    ['claude-4.7', 4000, 4000, 4784],
    ['gemini', 384, 384, 258],
    ['gemini', 960, 540, 258 * 6],
    ['gemini', 3072, 3072, 258 * 16],
  ] as const)('cost in %s, %i × %i pixels, %i tokens', (name, width, height, tokens) => {
    expect(TOKENIZER_FAMILIES[name].imageTokens(width, height)).toBe(tokens);
  });
});
