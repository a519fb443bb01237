import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { bar, gauge } from '../../src/cli/terminal/bar.ts';
import { cutEnd, cutStart, padded, tableLines, wrapped } from '../../src/cli/terminal/columns.ts';
import { peaks, sparkline } from '../../src/cli/terminal/sparkline.ts';
import { printable } from '../../src/cli/terminal/terminal.ts';
import { byteSize, compact, counted, duration, grouped, percent } from '../../src/report/figures.ts';

describe('figures', () => {
  test('are short and correct', () => {
    expect([950, 999_499, 999_500, 12_345, 1_400_000, 123_456_789].map(compact)).toEqual([
      '950',
      '999k',
      '1.0M',
      '12.3k',
      '1.4M',
      '123M',
    ]);
    expect(grouped(1_234_567)).toBe('1,234,567');
    expect([percent(1, 3), percent(0, 3), percent(1, 1000), percent(3, 0)]).toEqual(['33%', '0%', '<1%', '0%']);
    expect([compact(-3_600), compact(-5)]).toEqual(['−3.6k', '−5']);
    expect([duration(0.44), duration(12.3), duration(3210)]).toEqual(['0.4 ms', '12 ms', '3.2 s']);
    expect([byteSize(999), byteSize(12_345), byteSize(3_400_000)]).toEqual(['999 B', '12 kB', '3.4 MB']);
    expect([counted(1, 'entry', 'entries'), counted(2, 'entry', 'entries')]).toEqual(['1 entry', '2 entries']);
  });
});

describe('bars', () => {
  test('have exactly the given width for every share', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 2, noNaN: true }), fc.integer({ min: 1, max: 60 }), (share, columns) => {
        expect(stringWidth(bar(share, columns))).toBe(columns);
        const { filled, track } = gauge(share, columns);
        expect(stringWidth(filled + track)).toBe(columns);
      }),
    );
  });

  test('show every share above 0, and nothing for 0', () => {
    expect(bar(0.001, 10).trim()).toBe('▏');
    expect(bar(0, 10).trim()).toBe('');
    expect(bar(1, 3)).toBe('███');
    expect(gauge(0.001, 4).filled).toBe('█');
  });
});

describe('curves in one line', () => {
  test('have one column for each value, in eighths of the top', () => {
    expect(sparkline([0, 1, 4, 8, 16], 8)).toBe(' ▁▄██');
    expect(sparkline([1], 1000)).toBe('▁');
    expect(sparkline([0, 5], 0)).toBe('  ');
  });

  test('lose no peak if a column represents many values', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.integer({ min: 1, max: 60 }), (values, columns) => {
        const drawn = peaks(values, columns);
        expect(drawn).toHaveLength(Math.min(values.length, columns));
        expect(Math.max(...drawn)).toBe(Math.max(...values));
      }),
    );
  });
});

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 }).map(printable);

describe('text on a terminal', () => {
  test('is cut and filled by columns, not characters', () => {
    expect(cutEnd('設定ファイル', 7)).toBe('設定フ…');
    expect(cutStart('src/設定.ts', 6)).toBe('…定.ts');
    expect(padded('設定', 6)).toBe('設定  ');
    expect(padded('ab', 4, 'right')).toBe('  ab');
  });

  test('never exceeds its columns', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, columns) => {
        expect(stringWidth(cutEnd(text, columns))).toBeLessThanOrEqual(columns);
        expect(stringWidth(cutStart(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('contains no control characters', () => {
    expect(printable('a\u001b[31mb\r\nc\u202ed\u009be')).toBe('a·[31mb·c·d·e');
  });

  test('is wrapped at blanks', () => {
    expect(wrapped('one two three', 7)).toBe('one two\nthree');
    expect(wrapped('averylongword x', 5)).toBe('averylongword\nx');
    expect(wrapped('off by 8.0% in 1.5 s.', 10)).toBe('off by\n8.0% in\n1.5 s.');
    expect(wrapped('as 2 small ones', 4)).toBe('as 2\nsmall\nones');
  });
});

describe('a table', () => {
  test('cuts its shrinking column to fit the terminal, and remains aligned', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, fc.nat()), { minLength: 1, maxLength: 6 }), (rows) => {
        const columns = [
          { title: 'file', shrink: 'start' },
          { title: 'tokens', align: 'right' },
        ] as const;
        const lines = tableLines(
          columns,
          rows.map(([name, tokens]) => [name, grouped(tokens)]),
          { columns: 30 },
        );
        expect(lines).toHaveLength(rows.length + 1);
        const widths = lines.map((line) => stringWidth(line));
        expect(Math.max(...widths)).toBeLessThanOrEqual(30);
        // The last column is aligned right, so every line ends in the same column.
        expect(new Set(widths).size).toBe(1);
      }),
    );
  });

  test('colours cells after cutting them, so that colours have no width', () => {
    const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
    const [, row] = tableLines([{ title: 'a', shrink: 'end' }], [['abcdefgh']], { columns: 5, cell: red });
    expect(row).toBe(red('abcd…'));
  });
});
