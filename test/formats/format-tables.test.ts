import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_FORMATS } from '../../src/formats/index.ts';
import { lossTables } from './loss-table.ts';

/** Letters as in the page. */
const PAIRS = path.resolve(import.meta.dirname, 'losses-of-pairs.txt');
const PAGE = path.resolve(import.meta.dirname, '../../docs/formats.md');

const formatTable = (): string =>
  [
    '| format | written by | `density` writes it |',
    '|---|---|---|',
    ...SESSION_FORMATS.map(({ name, title, write }) => `| \`${name}\` | ${title} | ${write ? 'yes' : 'no'} |`),
  ].join('\n');

test('docs/formats.md lists every format, whether it can be written, and what it can lose; no pair loses anything else than before (`npx vitest run -u` with this file writes it again)', async () => {
  const { legend, targets, pairs } = lossTables();
  const tables = [formatTable(), `| to | can lose |\n|---|---|\n${targets}`, `| | lost |\n|---|---|\n${legend}`];
  let found = 0;
  const page = readFileSync(PAGE, 'utf8').replaceAll(/^\|.*(?:\n\|.*)*/gm, (table) => tables[found++] ?? table);
  expect(found).toBe(tables.length);
  await expect(page).toMatchFileSnapshot(PAGE);
  await expect(pairs).toMatchFileSnapshot(PAIRS);
});
