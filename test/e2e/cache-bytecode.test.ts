import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND } from './command.ts';
import { Computer } from './density.ts';

const computer = new Computer();
const temporary = path.join(computer.home, 'tmp');
mkdirSync(temporary);

function startIn(folder: string, home: string): number | null {
  const environment = { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary };
  return spawnSync(process.execPath, [COMMAND, '--version'], { cwd: folder, env: environment, timeout: 240_000 })
    .status;
}

test('the bytecode that Node keeps is in the cache folder of the user, and nothing is in the temporary one', () => {
  expect([startIn(computer.folder, computer.home), readdirSync(temporary)]).toEqual([0, []]);
  const folder = path.join(computer.home, '.cache/high-density/compiled');
  expect(existsSync(folder)).toBe('enableCompileCache' in module);
});

test.each(['', 'somewhere', '/proc'])(
  'with the home "%s" the command starts, and keeps no bytecode in a project',
  (home) => {
    expect([startIn(computer.folder, home), readdirSync(computer.folder)]).toEqual([0, []]);
  },
);
