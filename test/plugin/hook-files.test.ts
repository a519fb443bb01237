import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const hooksIn = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(new URL(`../../plugins/density/${name}`, import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;

test('Codex, which refuses a file that names modules, has the same hooks in a file of its own', () => {
  const { modules, ...hooks } = hooksIn('hooks/hooks.json');
  expect(modules).toEqual(['./compaction.mjs']);
  expect(hooksIn('codex-hooks.json')).toEqual(hooks);
});
