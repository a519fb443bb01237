import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_FORMATS } from '../../src/formats/index.ts';
import { lossTables } from './loss-table.ts';

test('docs/formats.md lists every format, and whether it can be written', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/formats.md'), 'utf8');
  const [, table = ''] = page.split('| format | written by | read | write |\n|---|---|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  expect(rows).toEqual(
    SESSION_FORMATS.map(({ name, title, write }) => `| \`${name}\` | ${title} | yes | ${write ? 'yes' : 'no'} |`),
  );
});

test('docs/formats.md lists what every pair of formats can lose', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/formats.md'), 'utf8');
  const { legend, pairs } = lossTables();
  const [, losses = ''] = page.split('\n## Losses\n');
  const [, listed = ''] = losses.split('| | lost |\n|---|---|\n');
  expect(listed.slice(0, listed.indexOf('\n\n'))).toBe(legend);
  const [, table = ''] = losses.split('<summary>Every pair</summary>\n\n');
  expect(table.slice(0, table.indexOf('\n\n'))).toBe(pairs);
});
