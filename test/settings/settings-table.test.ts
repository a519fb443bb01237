import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS_REGISTRY, type SettingRow } from '../../src/settings/registry.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/settings.md');

const code = (value: unknown): string => `\`${String(value)}\``;

function values(row: SettingRow): string {
  switch (row.type) {
    case 'boolean':
      return '`true`, `false`';
    case 'enum':
      return row.enumValues.map(code).join(', ');
    case 'text':
      return row.rule;
    case 'number': {
      const { minimum, maximum, isAboveMinimum, isInteger } = row.range;
      return [
        `${isInteger ? 'whole ' : ''}${row.unit}`,
        ...(minimum === undefined ? [] : [`${isAboveMinimum ? 'above' : 'at least'} ${minimum}`]),
        ...(maximum === undefined ? [] : [`at most ${maximum}`]),
      ].join(', ');
    }
  }
}

const cellsOf = (row: SettingRow): string[] => [
  code(row.key),
  values(row),
  row.default === undefined ? (row.defaultHelp ?? '') : code(row.default),
  row.help,
];

const TABLE = [
  ['setting', 'values', 'default', 'what it does'],
  ['---', '---', '---', '---'],
  ...SETTINGS_REGISTRY.map(cellsOf),
];
const written = TABLE.map((cells, at) => (at === 1 ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`)).join('\n');

test('the table of docs/settings.md is the registry: key, values, default, help (REQ-HD-009.1, REQ-HD-009.2, REQ-HD-009.3, REQ-HD-009.4) (`npx vitest run -u` with this file writes it again)', async () => {
  const page = readFileSync(PAGE, 'utf8').replace(/^\|.*(?:\n\|.*)*/m, () => written);
  expect(page).toContain(written);
  await expect(page).toMatchFileSnapshot(PAGE);
});
