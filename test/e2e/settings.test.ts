import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Computer, EDITED, jsonLines, ONLY_NEXT, sessionText } from './density.ts';

const FOLDER = '.config/high-density/profiles';

describe('density profile', () => {
  test('saves, lists, uses and deletes settings under a name', async () => {
    const computer = new Computer();
    const session = computer.write('session.jsonl', sessionText(EDITED));
    const saved = await computer.run(['profile', 'save', 'small', '--context-limit', '5k', '--file-dedupe', 'off']);
    expect([saved.code, saved.err]).toEqual([0, ONLY_NEXT]);
    expect(saved.out).toContain('Saved 2 settings as profile small');
    const file = path.join(computer.home, FOLDER, 'small.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const replayed = await computer.run(['replay', session, '--json', '--profile', 'small']);
    expect(jsonLines(replayed.out)[0]).toMatchObject({ contextLimit: 5000 });
    const listed = await computer.run(['profile', 'list', '--json']);
    expect(jsonLines(listed.out)).toEqual([
      expect.objectContaining({ name: 'recommended', file: '(built in)' }),
      {
        name: 'small',
        file,
        settings: { 'context-limit': 5000, 'compression.density.fileDedupe': false },
        unknownKeys: [],
      },
      expect.objectContaining({ name: 'specification', file: '(built in)' }),
    ]);
    expect((await computer.run(['profile', 'delete', 'small'])).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    const gone = await computer.run(['replay', session, '--profile', 'small']);
    expect([gone.code, gone.out]).toEqual([2, '']);
    expect(gone.err).toContain('"small"');
  });

  test('load makes a project use a profile, for every command there', async () => {
    const computer = new Computer();
    const session = computer.write('session.jsonl', sessionText(EDITED));
    await computer.run(['profile', 'save', 'small', '--context-limit', '5k']);
    const loaded = await computer.run(['profile', 'load', 'small']);
    expect([loaded.code, loaded.err]).toEqual([0, 'next: density settings\n']);
    const project = path.join(computer.folder, '.density.json');
    expect(JSON.parse(readFileSync(project, 'utf8'))).toEqual({ 'compression.profile': 'small' });
    for (const command of ['replay', 'inspect']) {
      const { out } = await computer.run([command, session, '--json']);
      expect(jsonLines(out)[0]).toMatchObject({ contextLimit: 5000 });
    }
    const { out } = await computer.run(['optimize', session, '-o', 'smaller.jsonl']);
    expect(out).toContain('of a window of 5,000');
  });

  test('a profile that this project uses cannot be deleted', async () => {
    const computer = new Computer();
    await computer.run(['profile', 'save', 'small', '--context-limit', '5k']);
    await computer.run(['profile', 'load', 'small']);
    const refused = await computer.run(['profile', 'delete', 'small']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(path.join(computer.folder, '.density.json'));
    expect(existsSync(path.join(computer.home, FOLDER, 'small.json'))).toBe(true);
  });

  test('every command goes on without a profile that is gone, and says so in one line', async () => {
    const computer = new Computer();
    const session = computer.write('session.jsonl', sessionText(EDITED));
    computer.write('work/.density.json', '{"compression.profile": "gone", "context-limit": 5000}');
    for (const args of [
      ['settings'],
      ['replay', session],
      ['inspect', session],
      ['optimize', session, '-o', 'o.jsonl'],
    ]) {
      const { code, out, err } = await computer.run(args);
      expect([code, err.match(/"gone"/g)?.length, err.match(/^(?!next: ).+$/gm)?.length]).toEqual([0, 1, 1]);
      expect(out).toMatch(/5,?000/);
    }
  });

  test('a broken profile is named and nothing is written', async () => {
    const computer = new Computer();
    const file = computer.write(`${FOLDER}/mine.json`, '{"version": 1, "settings": {"context-limit": "big"}}');
    const before = readFileSync(file, 'utf8');
    const { code, err } = await computer.run(['profile', 'save', 'mine', '--context-limit', '5k', '--force']);
    expect(code).toBe(1);
    expect(err).toContain(`${file}: Expected \`context-limit\``);
    expect(readFileSync(file, 'utf8')).toBe(before);
    const listed = await computer.run(['profile', 'list']);
    expect([listed.code, listed.out.includes('`context-limit`')]).toEqual([0, true]);
  });

  test('reports unknown settings and keeps them', async () => {
    const computer = new Computer();
    const file = computer.write(`${FOLDER}/mine.json`, '{"version": 1, "settings": {"compression.tomorrow": 1}}');
    const { err } = await computer.run(['settings', '--profile', 'mine']);
    expect(err).toContain('compression.tomorrow');
    const saved = await computer.run(['profile', 'save', 'mine', '--context-limit', '5k', '--force']);
    expect(saved.out).toContain('compression.tomorrow');
    expect(JSON.parse(readFileSync(file, 'utf8')).settings).toEqual({
      'compression.tomorrow': 1,
      'context-limit': 5000,
    });
  });

  test('saves no empty profile, and replaces one only with --force', async () => {
    const computer = new Computer();
    expect((await computer.run(['profile', 'save', 'mine'])).code).toBe(2);
    await computer.run(['profile', 'save', 'mine', '--threshold', '0.5']);
    const again = await computer.run(['profile', 'save', 'mine', '--threshold', '0.6']);
    expect([again.code, again.err.includes('--force')]).toEqual([1, true]);
  });
});

describe('density settings', () => {
  test('shows each value and where it comes from', async () => {
    const computer = new Computer();
    computer.write('work/.density.json', '{"compression.profile": "mine", "compression-preserve-threshold": 0.1}');
    await computer.run(['profile', 'save', 'mine', '--context-limit', '5k']);
    const { code, out, err } = await computer.run(['settings', '--recency-pruning', 'on']);
    expect([code, err]).toEqual([0, '']);
    const line = (key: string) =>
      out
        .split('\n')
        .find((text) => text.startsWith(`${key} `))
        ?.split(/\s{2,}/);
    expect(line('compression.density.recencyPruning')).toEqual([
      'compression.density.recencyPruning',
      'true',
      'this command',
    ]);
    expect(line('context-limit')).toEqual(['context-limit', '5000', 'profile mine']);
    expect(line('compression-preserve-threshold')).toEqual(['compression-preserve-threshold', '0.1', 'project']);
    expect(line('compression-threshold')).toEqual(['compression-threshold', '0.85', 'strategy high-density']);
    expect(line('compression.density.fileDedupe')).toEqual(['compression.density.fileDedupe', 'true', 'default']);
    expect(out).toContain(path.join(computer.folder, '.density.json'));
    for (const text of out.split('\n').slice(0, -3)) expect(text.length).toBeLessThanOrEqual(80);
  });

  test('with --no-shape gives new results no form, but by an option that is given too', async () => {
    const computer = new Computer();
    computer.write('work/.density.json', '{"compression.density.passingTests": true}');
    const shaping = async (...args: string[]) => {
      const [record] = jsonLines((await computer.run(['settings', '--json', ...args])).out);
      const settings = record!['settings'] as { key: string; value: unknown }[];
      const names = /Lines|Echoes|Noise|Tests|ByFile|ByFolder|LineNumbers$/;
      return settings.flatMap(({ key, value }) => (names.test(key) ? [[key.split('.').at(-1), value]] : []));
    };
    const off = [['repeatedLines', 0], ...['agentEchoes', 'terminalNoise'].map((name) => [name, false])];
    const rest = ['passingTests', 'matchesByFile', 'pathsByFolder', 'tenthLineNumbers'].map((name) => [name, false]);
    expect(await shaping('--no-shape')).toEqual([...off, ...rest]);
    expect(await shaping('--repeated-lines', '6', '--no-shape')).toEqual([
      ['repeatedLines', 6],
      ...off.slice(1),
      ...rest,
    ]);
    expect(await shaping()).toEqual([
      ['repeatedLines', 4],
      ...[...off.slice(1), ...rest].map(([name]) => [name, true]),
    ]);
    expect((await shaping('--tenth-line-numbers', 'on', '--no-shape')).at(-1)).toEqual(['tenthLineNumbers', true]);
  });

  test('shows the same and the files as JSON', async () => {
    const computer = new Computer();
    const file = computer.write('work/.density.json', '{"compression-threshold": 0.5}');
    const { out } = await computer.run(['settings', '--json', '--model', 'gpt-4o']);
    const [record] = jsonLines(out);
    expect(record).toMatchObject({ profile: null, projectFile: file });
    expect(record?.['settings']).toContainEqual({
      key: 'compression-threshold',
      value: 0.5,
      origin: { kind: 'project', file },
    });
    expect(record?.['settings']).toContainEqual({
      key: 'compression.profile',
      value: null,
      origin: { kind: 'default' },
    });
  });

  test('a mistake in a project file is named with its key, and no command starts', async () => {
    const computer = new Computer();
    const session = computer.write('session.jsonl', sessionText(EDITED));
    const file = computer.write('work/.density.json', '{"compression-treshold": 0.5}');
    for (const args of [['settings'], ['replay', session], ['optimize', session, '-o', 'out.jsonl']]) {
      const { code, out, err } = await computer.run(args);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`${file}: Expected the keys of settings, got "compression-treshold"`);
    }
    expect(existsSync(path.join(computer.folder, 'out.jsonl'))).toBe(false);
  });
});
