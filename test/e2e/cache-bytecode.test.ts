import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND, Computer } from './density.ts';

test('the bytecode that Node keeps is in the cache folder of the user, and nothing is in the temporary one', () => {
  const computer = new Computer();
  const temporary = path.join(computer.home, 'tmp');
  mkdirSync(temporary);
  const environment = { PATH: process.env['PATH'], HOME: computer.home, TMPDIR: temporary };
  const { status } = spawnSync(process.execPath, [COMMAND, '--version'], { env: environment });
  expect([status, readdirSync(temporary)]).toEqual([0, []]);
  const folder = path.join(computer.home, '.cache/high-density/compiled');
  expect(existsSync(folder)).toBe('enableCompileCache' in module);
});
