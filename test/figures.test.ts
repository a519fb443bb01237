import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

interface MeasuredRow {
  readonly id: string;
  readonly unit: string;
  readonly median: number;
}

/** Each figure of the tables of a page: the last cell of a row names the measured rows of the figures before it; a dash is none. */
function figuresOf(page: string): { figure: string; id: string }[] {
  const rows = readFileSync(path.join(root, page), 'utf8').matchAll(/^\| (.+) \| (`[a-z][^|]*`) \|$/gm);
  return [...rows].flatMap(([, cells = '', last = '']) => {
    const figures = cells.split(' | ').slice(1);
    const measured = figures.filter((figure) => figure !== '–');
    const ids = last.split(' ').map((id) => id.replaceAll('`', ''));
    return measured.map((figure, at) => ({ figure, id: ids[at] ?? '' }));
  });
}

function written({ median, unit }: MeasuredRow): string {
  const number = median >= 100 ? Math.round(median).toLocaleString('en') : String(Number(median.toPrecision(2)));
  return unit === 'ratio' ? `${number} ×` : `${number} ${unit}`;
}

describe.each(['README.md', 'docs/figures.md'])('the figures of %s', (page) => {
  const measured = JSON.parse(readFileSync(path.join(root, 'bench/results.json'), 'utf8')) as { rows: MeasuredRow[] };
  const figures = figuresOf(page);

  test('are there', () => {
    expect(figures.length).toBeGreaterThan(3);
  });

  test.each(figures)('$id is what the bench measured', ({ figure, id }) => {
    const row = measured.rows.find((one) => one.id === id);
    expect(row, `row ${id} of bench/results.json`).toBeDefined();
    expect(figure).toBe(written(row!));
  });
});
