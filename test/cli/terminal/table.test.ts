import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableLines, widthOf } from '../../../src/cli/terminal/columns.ts';

test('columns that shrink are cut where they are widest, and the last are left out where that is not enough', () => {
  const columns = [{ title: 'id' }, { title: 'a', shrink: 'end' as const }, { title: 'b', shrink: 'start' as const }];
  const rows = [['1234', 'x'.repeat(20), 'y'.repeat(8)]];
  expect(tableLines(columns, rows, { columns: 24 })[1]).toBe('1234  xxxxxxx…  yyyyyyyy');
  expect(tableLines(columns, rows, { columns: 16 })[1]).toBe('1234  xxx…  …yyy');
  expect(tableLines(columns, rows, { columns: 15 }).slice(1)).toEqual(['1234  xxxxxxxx…', 'Too narrow for:', 'b.']);
});

test('a table has room for a cell of a megabyte and for many rows', () => {
  const columns = [{ title: 'name', shrink: 'start' as const }, { title: 'calls' }];
  const rows = Array.from({ length: 200_000 }, () => ['name', '1']);
  const lines = tableLines(columns, [['x'.repeat(1_000_000), '1'], ...rows], { columns: 20 });
  expect(lines.slice(0, 3)).toEqual(['name           calls', '…xxxxxxxxxxxx  1', 'name           1']);
  expect(lines).toHaveLength(200_002);
});

test('columns of a higher rank are left out first', () => {
  const columns = [{ title: 'id' }, { title: 'a', rank: 1 }, { title: 'b', shrink: 'end' as const, least: 2 }];
  const rows = [['1234', 'x'.repeat(20), 'y'.repeat(8)]];
  expect(tableLines(columns, rows, { columns: 20 })).toEqual(['id    b', '1234  yyyyyyyy', 'Too narrow for: a.']);
});

test('no line is wider than the screen if a column can shrink and the first has room', () => {
  const cell = fc.string({ maxLength: 60 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
      fc.integer({ min: 40, max: 200 }),
      (rows, wide) => {
        const titles = [
          { title: 'one', shrink: 'end' as const },
          { title: 'two' },
          { title: 'three', shrink: 'end' as const },
        ];
        for (const line of tableLines(titles, rows, { columns: wide })) expect(widthOf(line)).toBeLessThanOrEqual(wide);
      },
    ),
  );
});
