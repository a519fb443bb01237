import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

interface MeasuredRow {
  readonly id: string;
  readonly unit: string;
  readonly median: number;
}

const MEASURED = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8')) as { rows: MeasuredRow[] };

/** A row whose last cell names the measured rows of the figures before it; a dash is none. */
const FIGURES = /^\| ([^|]+) \| (.+) \| (`[a-z][^|]*`) \|$/gm;

function written(id: string): string {
  const row = MEASURED.rows.find((one) => one.id === id);
  if (row === undefined) throw new Error(`Expected a row of bench/results.json, got \`${id}\`.`);
  const { median, unit } = row;
  const number = median >= 100 ? Math.round(median).toLocaleString('en') : String(Number(median.toPrecision(2)));
  if (unit === 'count') return number;
  if (unit === 'percent') return `${number.replace('-', '−')}%`;
  return unit === 'ratio' ? `${number} ×` : `${number} ${unit}`;
}

test.each(['README.md', 'docs/figures.md', 'docs/compactions.md'])(
  'the figures of %s are what the benches measured (`npx vitest run -u` with this file writes them again)',
  async (page) => {
    const file = path.join(ROOT, page);
    let figures = 0;
    const text = readFileSync(file, 'utf8').replaceAll(FIGURES, (_, what: string, cells: string, rows: string) => {
      const ids = rows.split(' ').map((id) => id.replaceAll('`', ''));
      figures += ids.length;
      const measured = cells.split(' | ').map((cell) => (cell === '–' ? cell : written(ids.shift() ?? '')));
      expect(ids, `figures for all rows of "${what}"`).toEqual([]);
      return `| ${what} | ${measured.join(' | ')} | ${rows} |`;
    });
    expect(figures).toBeGreaterThan(3);
    await expect(text).toMatchFileSnapshot(file);
  },
);
