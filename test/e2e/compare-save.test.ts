import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { exchange, human } from '../strategies/conversation.ts';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

const PROFILES = '.config/high-density/profiles';

/** Long reads that are never used, and edits of shown text, with a cold cache before each call: the sooner reads are removed, the better. */
function workText(project: string): string {
  const entries = [
    human('Make it work.'),
    ...Array.from({ length: 9 }, (_, at) => [
      ...exchange(
        `s${at}`,
        'read_file',
        { absolute_path: `${project}/${at}.md` },
        { result: `${at} says it\n`.repeat(2000) },
      ),
      // Reads that are further apart are no working set.
      ...[1, 2, 3].flatMap((step) =>
        exchange(`n${at}-${step}`, 'run_shell_command', { command: 'true' }, { result: 'ok' }),
      ),
      ...exchange(`r${at}`, 'read_file', { absolute_path: `${project}/${at}.ts` }, { result: `const value${at} = 1;` }),
      ...exchange(
        `w${at}`,
        'replace',
        { file_path: `${project}/${at}.ts`, old_string: `const value${at} = 1;`, new_string: `const value${at} = 2;` },
        { result: 'ok' },
      ),
    ]).flat(),
  ];
  const timed = entries.map((entry, at) => ({
    ...entry,
    metadata: { ...entry.metadata, id: `e${at}`, timestamp: 1_700_000_000_000 + at * 7_200_000 },
  }));
  return sessionText(timed, { workspaceRoot: project });
}

describe('density compare --save', () => {
  const computer = new Computer();
  const folder = path.join(computer.folder, 'work');
  mkdirSync(folder);
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(path.join(folder, `${name}.jsonl`), workText(`/${name}`));
  const fileOf = (name: string) => path.join(computer.home, PROFILES, `${name}.json`);

  test('saves the cheapest profile, which commands then use', async () => {
    const { code, out, err } = await computer.run(['compare', folder, '--at-most', '20', '--save', 'mine']);
    expect({ code, err }).toEqual({ code: 0, err: 'next: density profile load mine\n' });
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/^Saved as profile `mine`: .* unused reads for 60k tokens sent/);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /On the 2 sessions that it was not chosen on: [\d.]+% fewer tokens of recorded text, bill −/,
    );
    expect(out).toContain('0 of 18 edits regretted');
    expect(out.match(/^(?:recommended|no-pruning|carried).* [\d.]+%$/gm)).toHaveLength(2);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('Whole projects are in one half');
    for (const line of out.split('\n').filter((text) => !text.includes(computer.home)))
      expect(line.length).toBeLessThanOrEqual(80);
    const { settings } = JSON.parse(readFileSync(fileOf('mine'), 'utf8')) as { settings: Record<string, unknown> };
    expect(settings['compression.density.carriedTokens']).toBe(60_000);
    const replayed = await computer.run(['replay', '--profile', 'mine', '--json', path.join(folder, 'a.jsonl')]);
    expect(replayed.code).toBe(0);
    // Refused before anything is played.
    const again = await computer.run(['compare', folder, '--save', 'mine']);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('Expected a new profile name, got "mine"');
  });

  test('with --json has the figures of all profiles; the report has those of two, and --force replaces a profile', async () => {
    const saved = readFileSync(fileOf('mine'), 'utf8');
    writeFileSync(fileOf('mine'), saved.replace('60000', '59000'));
    const options = ['--at-most', '20', '--json', '--force'];
    const { code, out, err } = await computer.run(['compare', '--save', 'mine', folder, ...options]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [told] = jsonLines(out);
    expect(told).toMatchObject({
      atMostPercent: 20,
      neededEdits: 17,
      dividedBy: 'project',
      chosenOn: { sessions: 2, evidencedEdits: 18 },
      heldOut: { sessions: 2, evidencedEdits: 18 },
      verdict: 'better',
    });
    expect(told).toMatchObject({ saved: { name: 'mine', file: fileOf('mine') } });
    expect(readFileSync(fileOf('mine'), 'utf8')).toContain('60000');
    const profiles = told!['profiles'] as { name: string; settings: object; heldOut: { dollarsRatio: number } }[];
    expect(profiles[0]).toMatchObject({ name: 'no-pruning', heldOut: { savedRatio: 0, dollarsRatio: 0 } });
    const chosen = profiles.find(({ name }) => name === told!['chosen']);
    expect(chosen?.heldOut.dollarsRatio).toBeLessThan(profiles[1]!.heldOut.dollarsRatio);
  });

  test('says how many edits are needed if there are too few, and saves nothing', async () => {
    const one = computer.write('one.jsonl', sessionText(EDITED));
    const { code, out, err } = await computer.run(['compare', '--save', 'tuned', one]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Too little to choose from, so nothing was saved.');
    expect(out.replaceAll('\n', ' ')).toContain('each half of your sessions must have 368 edits');
    expect(existsSync(fileOf('tuned'))).toBe(false);
  });

  test.each(['0', '60', 'few', ''])('refuses --at-most %s', async (percent) => {
    const { code, err } = await computer.run(['compare', '--save', 'tuned', folder, '--at-most', percent]);
    expect(code).toBe(2);
    expect(err).toContain('Expected a number of percent above 0 and at most 50.');
  });

  test('refuses a name that no profile can have, and sessions that do not exist', async () => {
    expect((await computer.run(['compare', folder, '--save', '../evil'])).code).toBe(2);
    const { code, out } = await computer.run(['compare', '--save', 'tuned', path.join(folder, 'missing.jsonl')]);
    expect(code).not.toBe(0);
    expect(out).toBe('');
  });
});
