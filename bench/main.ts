import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import type { Row } from './row.ts';

interface Results {
  readonly node: string;
  readonly cpus: string;
  readonly rows: readonly Row[];
}

const RESULTS = path.resolve(import.meta.dirname, '../../bench/results.json');

/** Bench files beside this one, in order of name; a file without `run` only serves others. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.js') && file !== 'main.js')
  .map((file) => file.slice(0, -3))
  .sort();

function earlierRows(): readonly Row[] {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results).rows : [];
}

const groupOf = ({ id }: Row): string => id.split('.')[0]!;

/** Keeps rows of groups that were not measured now, so that `npm run bench -- tokens` does not delete the others. */
function save(rows: readonly Row[]): void {
  const measured = new Set(rows.map(groupOf));
  const kept = earlierRows().filter((row) => !measured.has(groupOf(row)));
  const merged = [...kept, ...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
  const results: Results = { node: process.version, cpus: machine, rows: merged };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map((row) => row.id.length));
  for (const row of rows) {
    const figures = [row.median, row.min, row.max].map((value) => String(value).padStart(10)).join('');
    console.log(`${row.id.padEnd(width)} ${row.unit.padStart(7)}${figures}  n=${row.n}`);
  }
}

const ALONE = '--alone';
const isAlone = process.argv.includes(ALONE);
const wanted = process.argv.slice(2).filter((word) => word !== ALONE);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Expected names of bench files (${names.join(', ')}), got ${unknown.join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const name of names) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const bench = (await import(`./${name}.js`)) as {
      run?: (options: { isAlone: boolean }) => Promise<readonly Row[]>;
    };
    if (!bench.run) continue;
    console.log(`\n${name}: unit, median, min, max`);
    const rows = await bench.run({ isAlone });
    print(rows);
    // Two builds are compared row by row; the recorded figures are those beside others.
    if (!isAlone) save(rows);
  }
}
