import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MEASURED_BILLS, MEASURED_SAVING } from '../src/report/measured-savings.ts';

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

const MODELS = ['opus-5-5min', 'opus-5-1h', 'opus-5.5-bound', 'gpt-5.6'];
/** Sessions in both sets, as the table of agents in docs/figures.md says them. */
const AGENTS = {
  'claude-code': ['Claude Code', 47 + 33],
  codex: ['Codex', 46 + 13],
  opencode: ['opencode', 26 + 7],
} as const;
const medianOf = (id: string): number => MEASURED.rows.find((one) => one.id === id)!.median;
/** The bills of both sets with each model, as whole percent that they are lower by. */
const loweredBy = (agent: string): number[][] =>
  MODELS.map((model) =>
    ['economics', 'economics.of-2026'].map((set) => -Math.round(medianOf(`${set}.${model}.${agent}.change`))),
  );

test('what an agent may expect is the range of both recorded sets', () => {
  const [readme, figures] = ['README.md', 'docs/figures.md'].map((page) => readFileSync(path.join(ROOT, page), 'utf8'));
  const each: string[] = [];
  for (const [agent, [title, sessions]] of Object.entries(AGENTS)) {
    const ranges = loweredBy(agent).map((both) => `${Math.min(...both)}% to ${Math.max(...both)}%`);
    expect(figures).toContain(`| ${title} (${sessions} sessions) | ${ranges.join(' | ')} |`);
    const all = loweredBy(agent).flat();
    const least = Math.min(...all);
    const most = Math.max(...all);
    expect(MEASURED_BILLS).toContainEqual({ agent: title, sessions, least, most });
    each.push(`${least}% to ${most}% with ${title} (${sessions} sessions)`);
  }
  const ofAllAgents = Object.keys(AGENTS).flatMap((agent) => loweredBy(agent).flat());
  expect(readme).toContain(`a bill that is ${Math.min(...ofAllAgents)}% to ${Math.max(...ofAllAgents)}% lower`);
  expect(readme).toContain(each.join(', '));
  const [published, of2026] = ['economics', 'economics.of-2026'].map((set) =>
    Math.max(...MODELS.map((model) => medianOf(`${set}.${model}.regretted`))),
  );
  expect(readme).toContain(`at most ${published} of 945 and ${of2026} of 679 edits needed removed text`);
});

test('what the example is compared with is what the bench measured', () => {
  expect(MEASURED_SAVING).toEqual({
    sessions: medianOf('compactions.sessions'),
    tokens: Math.round(medianOf('fidelity.recommended.saved')),
    bill: -Math.round(medianOf('fidelity.recommended.cost')),
  });
});
