import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_FORMATS } from '../../src/formats/index.ts';
import { lossTables } from './loss-table.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/formats.md');

const formatTable = (): string =>
  [
    '| format | written by | read | write |',
    '|---|---|---|---|',
    ...SESSION_FORMATS.map(({ name, title, write }) => `| \`${name}\` | ${title} | yes | ${write ? 'yes' : 'no'} |`),
  ].join('\n');

test('docs/formats.md lists every format, whether it can be written, and what each pair can lose (`npx vitest run -u` with this file writes it again)', async () => {
  const { legend, pairs } = lossTables();
  const tables = [formatTable(), `| | lost |\n|---|---|\n${legend}`, pairs];
  let found = 0;
  const page = readFileSync(PAGE, 'utf8').replaceAll(/^\|.*(?:\n\|.*)*/gm, (table) => tables[found++] ?? table);
  expect(found).toBe(tables.length);
  await expect(page).toMatchFileSnapshot(PAGE);
});
