import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');

test('the workflow may only read, and runs the test command of README on three systems and three versions of Node', () => {
  const { permissions, jobs } = parse(read('.github/workflows/test.yml'));
  const { os, node } = jobs.test.strategy.matrix;
  const steps: readonly { readonly uses?: string; readonly run?: string }[] = jobs.test.steps;
  expect(permissions).toEqual({ contents: 'read' });
  expect([os, node]).toEqual([
    ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    [20, 22, 24],
  ]);
  expect(steps.flatMap(({ uses }) => uses ?? []).filter((action) => !/^actions\/[a-z-]+@v\d+$/.test(action))).toEqual(
    [],
  );
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands).toHaveLength(1);
  expect(read('README.md')).toContain(`\n${commands[0]} `);
});
