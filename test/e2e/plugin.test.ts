import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { RecordedSession } from '../plugin/recorded-events.ts';
import { COMMAND } from './command.ts';
import { Computer } from './density.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PLUGIN = path.join(ROOT, 'plugins/density');
const TEXT = Array.from({ length: 90 }, (_, at) => `line ${at} of a file that is long enough`).join('\n');
const json = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

describe('the plugin', () => {
  const computer = new Computer();
  /** As agents do it: a copy of the folder, and whatever is on the PATH. */
  const copy = path.join(computer.home, 'cache/density');
  cpSync(PLUGIN, copy, { recursive: true });
  const bin = path.join(computer.home, 'bin');
  mkdirSync(bin);
  symlinkSync(COMMAND, path.join(bin, 'density'));
  const run = (args: readonly string[], input: string, { PATH = bin, folder = copy, HOME = computer.home } = {}) => {
    const file = path.join(folder, 'density.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
      input,
      encoding: 'utf8',
      env: { PATH, HOME },
      timeout: 240_000,
    });
    return { status, stdout, stderr };
  };

  test.each(['from its copy', 'in the package'])('answers a repeated result by one line, %s', (place) => {
    const folder = place === 'in the package' ? PLUGIN : copy;
    const session = new RecordedSession(path.join(computer.home, place), place.replaceAll(' ', '-'));
    session.line('p');
    session.called('toolu_1', TEXT, { name: 'Bash', input: { command: 'cat a.ts' } });
    const PATH = place === 'in the package' ? '' : bin;
    expect(run(['hook'], session.bash('toolu_1', TEXT), { folder, PATH })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    const { stdout } = run(['hook'], session.bash('toolu_2', TEXT), { folder, PATH });
    const files = Array.from({ length: 4 }, (_, at) => `src/deep/folder/file${at}.ts`);
    const listed = run(['hook'], session.bash('toolu_3', files.join('\n'), {}, 'find src'), { folder, PATH });
    expect(listed.stdout).toContain(JSON.stringify('src/deep/folder/:\nfile0.ts\nfile1.ts').slice(1, -1));
    const hash = /; recall ([0-9a-f]{12})⟧/.exec(stdout)?.[1] ?? '';
    const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'recall', arguments: { hash } } };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const lines = [{ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }, ask].map((one) =>
      JSON.stringify(one),
    );
    const recalled = run(['mcp'], `${lines.join('\n')}\n`, { folder, PATH });
    expect(recalled.stdout).toContain(JSON.stringify(TEXT).slice(1, -1));
    expect(recalled.status).toBe(0);
  });

  test('replaces repeats in Codex where the file of the project says so', () => {
    const session = new RecordedSession(path.join(computer.home, 'codex'), '01a2050d');
    session.calledByCodex('call_1', TEXT.repeat(2));
    const cwd = path.join(computer.home, 'project');
    mkdirSync(cwd);
    const hook = (id: string) => run(['hook'], session.codex(id, TEXT.repeat(2), { cwd }));
    for (const call of ['call_1', 'call_2']) expect(hook(call)).toEqual({ status: 0, stdout: '', stderr: '' });
    writeFileSync(path.join(cwd, '.density.json'), '{ "plugin-codex-repeats": true }');
    expect(hook('call_1')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(hook('call_2').stdout).toMatch(/"decision":"block","reason":"⟦density: .*; recall [0-9a-f]{12}⟧/);
  });

  test('lets everything through when something is wrong, and notes it', () => {
    const session = new RecordedSession(path.join(computer.home, 'gone'), 'fc5e04a8');
    expect(run(['hook'], 'no event')).toEqual({ status: 0, stdout: '', stderr: '' });
    for (const call of ['toolu_2', 'toolu_3'])
      expect(run(['hook'], session.bash(call, TEXT))).toEqual({ status: 0, stdout: '', stderr: '' });
    const log = readFileSync(path.join(computer.home, '.local/share/high-density/live/plugin/troubles.log'), 'utf8');
    expect(log).toMatch(/^\d{4}-.*no event.*\n\d{4}-.*ENOENT.*\n$/);
    expect(run(['hook'], session.bash('toolu_4', TEXT), { HOME: '/proc/1/nowhere' })).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  test('lets results through while the archive is full, and notes it once', () => {
    const full = new Computer();
    full.write('.local/share/high-density/archive/.full', '');
    const session = new RecordedSession(path.join(full.home, 'transcripts'), 'fc5e04a8');
    session.line('p');
    session.called('toolu_1', TEXT, { name: 'Bash', input: { command: 'cat a.ts' } });
    for (const call of ['toolu_1', 'toolu_2', 'toolu_3'])
      expect(run(['hook'], session.bash(call, TEXT), { HOME: full.home })).toMatchObject({ status: 0, stdout: '' });
    const log = readFileSync(path.join(full.home, '.local/share/high-density/live/plugin/troubles.log'), 'utf8');
    expect(log).toMatch(/^\d{4}-.* it is full.*\n$/);
  });

  test('says at the start of a session that the command is missing', () => {
    const session = new RecordedSession(path.join(computer.home, 'work'), 'fc5e04a8');
    const missing = { PATH: path.join(computer.home, 'work') };
    expect(run(['hook'], session.bash('toolu_1', TEXT), missing)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(run(['hook'], session.start('startup'), missing).stdout).toContain(
      'npm pack && npm install --global ./high-density-*.tgz',
    );
    expect(run(['mcp'], '', missing)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('npm pack'),
    });
  });

  test('has files that exist, and one version', () => {
    const marketplace = json('.claude-plugin/marketplace.json') as { plugins: [{ source: string }] };
    expect(existsSync(path.join(ROOT, marketplace.plugins[0].source, 'hooks/hooks.json'))).toBe(true);
    const { version } = json('package.json') as { version: string };
    const [claude, codex] = ['.claude-plugin', '.codex-plugin'].map(
      (folder) => json(`plugins/density/${folder}/plugin.json`) as Record<string, string>,
    );
    expect([claude?.['version'], codex?.['version']]).toEqual([version, version]);
    expect([claude?.['commands'], codex?.['mcpServers']].every((file) => existsSync(path.join(PLUGIN, file!)))).toBe(
      true,
    );
  });
});
