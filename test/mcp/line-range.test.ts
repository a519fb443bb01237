import { describe, expect, test } from 'vitest';
import { lineRange } from '../../src/mcp/archive-server.ts';

const text = (lines: number, length = 3): string =>
  Array.from({ length: lines }, (_, at) => String(at + 1).padEnd(length, 'x')).join('\n');

describe('lines of a removed text', () => {
  test.each([
    [undefined, { text: '1\n2\n3', first: 1, last: 3 }],
    ['2', { text: '2', first: 2, last: 2 }],
    ['2-3', { text: '2\n3', first: 2, last: 3 }],
    ['2-', { text: '2\n3', first: 2, last: 3 }],
    [' 1 - 99 ', { text: '1\n2\n3', first: 1, last: 3 }],
  ])('%s', (asked, range) => {
    expect(lineRange('1\n2\n3', asked)).toEqual({ ...range, allLines: 3 });
  });

  test.each(['0', '4', '3-2', 'all', '-3', '1-2-3'])('%s is no range of three lines', (asked) => {
    expect(lineRange('1\n2\n3', asked)).toBeUndefined();
  });

  test('as many lines as fit are given, and the rest can be asked for', () => {
    const all = text(1_000, 99);
    const first = lineRange(all, undefined)!;
    expect(first).toMatchObject({ first: 1, last: 400, allLines: 1_000 });
    const parts = [first.text];
    for (let { last } = first; last < 1_000; ) {
      const next = lineRange(all, `${last + 1}-`)!;
      parts.push(next.text);
      last = next.last;
    }
    expect(parts.join('\n')).toBe(all);
  });

  test('a line that does not fit is cut, which is said', () => {
    const { text: cut, cutLineCharacters, last } = lineRange(`a\n${'b'.repeat(50_000)}\nc`, '2-')!;
    expect([cut.length, cutLineCharacters, last]).toEqual([40_000, 50_000, 2]);
  });
});
