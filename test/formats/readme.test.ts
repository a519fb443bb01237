import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_FORMATS } from '../../src/formats/index.ts';
import { lossTables } from './loss-table.ts';

test('the formats table of the README lists every format, and whether it can be written', () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const [, table = ''] = readme.split('| format | written by | read | write |\n|---|---|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  expect(rows).toEqual(
    SESSION_FORMATS.map(({ name, title, write }) => `| \`${name}\` | ${title} | yes | ${write ? 'yes' : 'no'} |`),
  );
});

test('the README lists what every pair of formats can lose', () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const { legend, pairs } = lossTables();
  const [, losses = ''] = readme.split('\n### Losses\n');
  const [, listed = ''] = losses.split('| | lost |\n|---|---|\n');
  expect(listed.slice(0, listed.indexOf('\n\n'))).toBe(legend);
  const [, table = ''] = losses.split('<summary>Every pair</summary>\n\n');
  expect(table.slice(0, table.indexOf('\n\n'))).toBe(pairs);
});
