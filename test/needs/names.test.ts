import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textUnits } from '../../src/content/lines/text-units.ts';
import { addNameHashes, innerNames, nameHash, namesIn } from '../../src/needs/names.ts';
import { runs } from '../property-runs.ts';

const PATTERN = /[\w.-]*(?:\/[\w.-]+)+|[A-Za-z_]*[a-z\d_][A-Z_][\w]*/g;
const matched = (text: string): string[] => (text.match(PATTERN) ?? []).filter((name) => name.length >= 10);

const piece = fc.constantFrom('a', 'bc', 'X', 'YZ', '_', '7', '42', '.', '-', '/', ' ', 'é', '→', 'word', 'Name');
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('names in a text', () => {
  test('are paths and words that sentences do not contain, each once', () => {
    const sentence =
      'See src/deep/file.ts:12 and computeTheFirst, snake_case_name or 2ndOfTheNames; src/deep/file.ts again.';
    expect(namesIn(sentence)).toEqual(['src/deep/file.ts', 'computeTheFirst', 'snake_case_name', 'ndOfTheNames']);
    expect(namesIn('An ordinary sentence, Capitals and INTERNATIONALLY known; a/b')).toEqual([]);
  });

  test('are exactly what the pattern matches, in any text', () => {
    fc.assert(
      fc.property(text, (any) => {
        const names = matched(any);
        const hashes: number[] = [];
        addNameHashes(textUnits(any), any.length, hashes);
        expect(hashes).toEqual(names.map(nameHash));
        expect(namesIn(any)).toEqual([...new Set(names)]);
      }),
      { numRuns: runs(3000) },
    );
  });

  test('occur in any text that contains the text, if they are inside it', () => {
    expect(innerNames('computeFirst = await readSecond(src/deep/file.ts')).toEqual(['readSecond']);
    fc.assert(
      fc.property(text, text, text, (before, any, after) => {
        expect(namesIn(before + any + after)).toEqual(expect.arrayContaining(innerNames(any)));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('are found inside a text with a run of half a megabyte, which is searched once', () => {
    expect(innerNames(`(${'ab'.repeat(250_000)}( aNameOfThese )`)).toEqual(['aNameOfThese']);
  });
});
