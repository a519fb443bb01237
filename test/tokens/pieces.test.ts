import { describe, expect, test } from 'vitest';
import { cl100kPieceEnd } from '../../src/tokens/exact/cl100k-pieces.ts';
import { o200kPieceEnd } from '../../src/tokens/exact/o200k-pieces.ts';
import { fuzzedText, randomFrom } from './fuzzed-text.ts';
import { classesOfThisNode, classOfCodePoint } from './rebuild-classes.ts';

const CONTRACTION = "'(?:[sS\u017ftTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])";
const WHITE_SPACE = '\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';
/** The patterns of the encodings, with Unicode's white space (`\s` of JavaScript contains U+FEFF but not U+0085). */
const inJavaScript = (pattern: string): RegExp =>
  new RegExp(pattern.replaceAll('\\S', '\\P{White_Space}').replaceAll('\\s', '\\p{White_Space}'), 'gu');
const PATTERNS = {
  o200k: inJavaScript(
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?:${CONTRACTION})?|` +
      `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?:${CONTRACTION})?|` +
      `\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|${WHITE_SPACE}`,
  ),
  cl100k: inJavaScript(
    `${CONTRACTION}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|${WHITE_SPACE}`,
  ),
};

const ofThisNode = classesOfThisNode();
/** True if the Unicode tables of this Node and of the encodings agree about a character; false for lone surrogates. */
function isKnownAlike(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return !/\p{Surrogate}/u.test(character) && classOfCodePoint(codePoint) === ofThisNode[codePoint];
}

type PieceEnd = typeof o200kPieceEnd;

function piecesOf(text: string, pieceEnd: PieceEnd): string[] {
  const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const pieces: string[] = [];
  for (let start = 0; start < units.length; ) {
    const end = pieceEnd(units, start, units.length);
    pieces.push(text.slice(start, end < 0 ? ~end : end));
    start = end < 0 ? ~end : end;
  }
  return pieces;
}

describe.each([
  ['o200k', PATTERNS.o200k, o200kPieceEnd],
  ['cl100k', PATTERNS.cl100k, cl100kPieceEnd],
] as const)('pieces of %s', (_, pattern, pieceEnd) => {
  test('are those of its pattern on 5,000 fuzzed texts', () => {
    const random = randomFrom(11);
    for (let round = 0; round < 5000; round++) {
      const text = [...fuzzedText(random, 15)].filter(isKnownAlike).join('');
      const expected = [...text.matchAll(pattern)].map(([piece]) => piece);
      expect(piecesOf(text, pieceEnd)).toEqual(expected);
    }
  });

  test('that later text can change are reported as such at every cut of a text', () => {
    const random = randomFrom(12);
    for (let round = 0; round < 1000; round++) {
      const text = fuzzedText(random, 12);
      const units = Uint16Array.from({ length: text.length }, (__, at) => text.charCodeAt(at));
      const whole = pieceEnd(units, 0, units.length);
      for (let cut = 1; cut < units.length; cut++) {
        if ((units[cut - 1]! & 0xfc00) === 0xd800) continue;
        const end = pieceEnd(units, 0, cut);
        if (end >= 0 && end <= cut - 3) expect(end).toBe(whole < 0 ? ~whole : whole);
      }
    }
  });
});

describe('o200k', () => {
  test.each([
    ["can't stop", ["can't", ' stop']],
    ['parseHTTPResponse', ['parse', 'HTTPResponse']],
    ['  indented', [' ', ' indented']],
    ['a\n\n  b', ['a', '\n\n', ' ', ' b']],
    ['12345', ['123', '45']],
    ['path/to//x', ['path', '/to', '//', 'x']],
    ['};\n\n', ['};\n\n']],
    ['中文ABC', ['中文', 'ABC']],
  ])('splits %j', (text, pieces) => {
    expect(piecesOf(text, o200kPieceEnd)).toEqual(pieces);
  });
});
