import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparableLine, comparableLines } from '../../../src/content/lines/comparable-line.ts';
import { lineHash, lineHashes } from '../../../src/content/lines/line-hash.ts';
import { runs } from '../../property-runs.ts';

describe('comparable lines', () => {
  test.each([
    ['    12→  const value = 1;', 'const value = 1;'],
    ['12\tconst value = 1;', 'const value = 1;'],
    ['00012| const value = 1;', 'const value = 1;'],
    ['L12: const value = 1;', 'const value = 1;'],
    ['  const value = 1;\r', 'const value = 1;'],
    ['2024-01-01 was a day', '2024-01-01 was a day'],
  ])('%j is compared as %j', (line, comparable) => {
    expect(comparableLine(line)).toBe(comparable);
  });

  test('omits lines that occur everywhere', () => {
    expect(comparableLines('function f() {\n  }\n\n});\nlast line')).toEqual(['function f() {', 'last line']);
    expect(comparableLines('function f() {\n   12→ab\nlast line', { leastChars: 10 })).toEqual(['function f() {']);
  });

  test('equal lines have equal hashes, whatever precedes them', () => {
    expect(lineHashes(['  7\treturn total;'])).toEqual([lineHash('return total;')]);
    expect(lineHash('return total;')).not.toBe(lineHash('return totals;'));
  });

  test('has a hash for each comparable line of any text', () => {
    const piece = fc.constantFrom(
      'L',
      '1',
      '23',
      '→',
      '\t',
      ':',
      '|',
      ' ',
      '\u00a0',
      '\u2003',
      '\r',
      '\n',
      'ab',
      'const x',
      'é',
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (any) => {
        expect(lineHashes([any, any])).toEqual([any, any].flatMap((text) => comparableLines(text)).map(lineHash));
      }),
      { numRuns: runs(3000) },
    );
  });
});
