import { expect, test } from 'vitest';
import { archivedList } from '../../src/report/archived-list.ts';

const block = (digit: string) => ({ hash: digit.repeat(64), sizeBytes: 2_164, keptAt: Date.UTC(2026, 1, 19, 10, 20) });

test('each block of the archive is one line, with enough of its hash to find it', () => {
  expect(archivedList([block('a'), block('b')])).toEqual([
    'aaaaaaaaaaaa  2026-02-19 10:20      2 kB',
    'bbbbbbbbbbbb  2026-02-19 10:20      2 kB',
  ]);
});

test('more than fit are counted', () => {
  const lines = archivedList(Array.from({ length: 22 }, () => block('c')));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('and 2 older blocks');
});
