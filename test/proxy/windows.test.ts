import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOnPath } from '../../src/proxy/wrap/installed-command.ts';
import { commandFolder } from '../../src/proxy/wrap/wrapped-run.ts';

// Windows itself is not run here: its rules are, with its name given to the code.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'density-windows-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A path of this computer as Windows joins it: what follows the folder begins with a backslash. */
const plant = (name: string): void => {
  writeFileSync(`${folder}\\${name}`, '', { mode: 0o755 });
};

test('a command of npm is found by its `.cmd`, whatever PATHEXT and the name of PATH', () => {
  plant('claude.cmd');
  plant('codex.EXE');
  try {
    expect(isOnPath('claude', { Path: `C:\\nowhere;${folder}`, PATHEXT: '.exe;.cmd' }, 'win32')).toBe(true);
    expect(isOnPath('codex', { PATH: folder }, 'win32')).toBe(true);
    expect(isOnPath('gemini', { PATH: folder }, 'win32')).toBe(false);
    expect(isOnPath('claude', { PATH: path.dirname(folder) }, 'linux')).toBe(false);
  } finally {
    for (const name of ['claude.cmd', 'codex.EXE']) rmSync(`${folder}\\${name}`, { force: true });
  }
});

test('cross-spawn starts a `.cmd` through the shell of Windows, with quoted arguments', () => {
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(path.join(folder, 'bin/claude.cmd'), '');
  chmodSync(path.join(folder, 'bin/claude.cmd'), 0o755);
  const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { _parse } = require('cross-spawn');
    const { command, args, options } = _parse('claude', ['-p', 'say "a b" & stop'], { env: { PATH: ${JSON.stringify(path.join(folder, 'bin'))}, PATHEXT: '.CMD', comspec: 'cmd.exe' } });
    console.log(JSON.stringify({ command, args, verbatim: options.windowsVerbatimArguments }));`;
  const env = { ...process.env, comspec: 'cmd.exe', PATHEXT: '.CMD' };
  const out = execFileSync(process.execPath, ['-e', script], { env, encoding: 'utf8', cwd: import.meta.dirname });
  const { command, args, verbatim } = JSON.parse(out) as { command: string; args: string[]; verbatim: boolean };
  expect([command, args.slice(0, 3), verbatim]).toEqual(['cmd.exe', ['/d', '/s', '/c'], true]);
  expect(args[3]).toContain('claude');
  expect(args[3]).toMatch(/\^"say\^ \\\^"a\^ b\\\^"\^ \^&\^ stop\^"/);
});

test('markers have a command that its shells find', async () => {
  const bin = await commandFolder(folder, 'C:\\density\\dist\\density.js', 'win32');
  const batch = readFileSync(path.join(bin, 'density.cmd'), 'utf8');
  expect(batch).toBe(`@"${process.execPath}" "C:\\density\\dist\\density.js" %*\r\n`);
  const other = path.join(folder, 'other');
  mkdirSync(other);
  expect(existsSync(path.join(await commandFolder(other, '/x/density.js', 'linux'), 'density.cmd'))).toBe(false);
});
