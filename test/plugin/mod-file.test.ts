import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript with declarations beside it.
import { bundle } from '../../tools/build/bundle.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = 'plugins/density/hooks/compaction.mjs';
const FIRST_LINE = '// Made from src/mod: `npx vitest run test/plugin/mod-file.test.ts -u` makes it again.';

/** The text as this repository formats its code. */
const formatted = (text: string): string =>
  execFileSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', `--stdin-file-path=${FILE}`],
    { cwd: ROOT, encoding: 'utf8', input: text },
  );

test('the mod in the folder of the plugin is the one of src: agents copy the folder alone, also out of a repository', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mod-file-'));
  try {
    await bundle({ mod: 'src/mod/register.ts' }, folder);
    const made = readFileSync(path.join(folder, 'mod.js'), 'utf8');
    expect(made).not.toMatch(/\bimport\b|\bprocess\.(?!run)/);
    await expect(formatted(`${FIRST_LINE}\n${made}`)).toMatchFileSnapshot(path.join(ROOT, FILE));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
