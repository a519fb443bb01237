import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

interface MeasuredRow {
  readonly id: string;
  readonly unit: string;
  readonly median: number;
}

/** The rows of the figures table: what was measured, its median, the id of its row in `bench/results.json`. */
function figuresOfReadme(): { figure: string; id: string }[] {
  const [, section = ''] = readFileSync(path.join(root, 'README.md'), 'utf8').split('\n## Figures\n');
  const rows = section.slice(0, section.indexOf('\n## ')).matchAll(/^\| [^|]+ \| ([^|]+) \| `([^`|]+)` \|$/gm);
  return [...rows].map(([, figure = '', id = '']) => ({ figure, id }));
}

function written({ median, unit }: MeasuredRow): string {
  const number = median >= 100 ? Math.round(median).toLocaleString('en') : String(Number(median.toPrecision(2)));
  return unit === 'ratio' ? `${number} ×` : `${number} ${unit}`;
}

describe('the figures of the README', () => {
  const measured = JSON.parse(readFileSync(path.join(root, 'bench/results.json'), 'utf8')) as { rows: MeasuredRow[] };
  const figures = figuresOfReadme();

  test('are there', () => {
    expect(figures.length).toBeGreaterThan(0);
  });

  test.each(figures)('$id is what the bench measured', ({ figure, id }) => {
    const row = measured.rows.find((one) => one.id === id);
    expect(row, `row ${id} of bench/results.json`).toBeDefined();
    expect(figure).toBe(written(row!));
  });
});
