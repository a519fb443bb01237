import { appendFileSync, readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatNamed } from '../../src/formats/index.ts';
import { decode, joinLines } from '../../src/formats/lines/lines.ts';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';

const ID = '5f3c2d1e-0000-4000-8000-000000000001';
const ARGS = ['--strategy', 'top-down-truncation', '--threshold', '0.5', '--context-limit', '500'];

const PLACES = {
  'claude-code': [`.claude/projects/-p/${ID}.jsonl`, /^cd .* && claude --resume ([\w-]{36})$/],
  codex: [`.codex/sessions/2026/01/05/rollout-2026-01-05T08-00-00-${ID}.jsonl`, /^cd .* && codex resume ([\w-]{36})$/],
  'gemini-cli': [
    `.gemini/tmp/p/chats/session-2026-01-05T08-00-${ID.slice(0, 8)}.jsonl`,
    /gemini --resume ([\w-]{36})$/,
  ],
  pi: [`.pi/agent/sessions/--p--/2026-01-05T08-00-00-000Z_${ID}.jsonl`, /^cd .* && pi --session ([\w-]{36})$/],
} as const;

/** A session of an agent at its place, unchanged for a while. */
function planted(format: string, name: string): { computer: Computer; file: string; text: string } {
  const computer = new Computer();
  const facts = { id: ID, workspaceRoot: computer.folder, startedAt: Date.UTC(2026, 0, 5, 8) };
  const text = decode(joinLines(formatNamed(format).create?.(EDITED, facts) ?? []));
  const file = computer.write(name, text);
  utimesSync(file, 1_767_600_000, 1_767_600_000);
  return { computer, file, text };
}

describe('--install', () => {
  test.each(Object.entries(PLACES))('puts a new session of %s beside the old one', async (format, [name, resume]) => {
    const { computer, file, text } = planted(format, name);
    const { code, out, err } = await computer.run([
      'optimize',
      file,
      '--strategy',
      'high-density',
      '--install',
      '--json',
      ...ARGS,
    ]);
    expect(code, err).toBe(0);
    const [report] = jsonLines(out);
    const installed = String(report?.['output']);
    expect(path.dirname(installed)).toBe(path.dirname(file));
    expect(String(report?.['resume'])).toMatch(resume);
    const id = resume.exec(String(report?.['resume']))?.[1] ?? '';
    expect(path.basename(installed)).toContain(id.slice(0, 8));
    expect(id).not.toBe(ID);
    const written = readFileSync(installed, 'utf8');
    expect(written).toContain(`"${id}"`);
    expect(written).not.toContain(ID);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const listed = jsonLines((await computer.run(['sessions', '--json'])).out).map(({ path: found }) => found);
    expect(listed).toEqual([installed, file]);
    const inspected = await computer.run(['inspect', id, '--json']);
    expect(jsonLines(inspected.out)[0]).toMatchObject({ file: installed, format });
  });

  test('writes nothing else beside the session, and restores the copy as it was', async () => {
    const { computer, file, text } = planted('claude-code', PLACES['claude-code'][0]);
    const made = await computer.run(['optimize', file, '--strategy', 'high-density', '--install', '--json', ...ARGS]);
    const { output, transcript } = jsonLines(made.out)[0] ?? {};
    const installed = String(output);
    const both = [path.basename(file), path.basename(installed)].sort();
    expect(readdirSync(path.dirname(file)).sort()).toEqual(both);
    const restored = path.join(computer.folder, 'restored.jsonl');
    const again = async () => {
      const { code, err } = await computer.run(['restore', installed, '-o', restored, '--force']);
      expect(code, err).toBe(0);
      const id = path.basename(installed, '.jsonl');
      return readFileSync(restored, 'utf8').replaceAll(id, ID);
    };
    expect(await again()).toBe(text);
    // Where earlier versions wrote it.
    renameSync(String(transcript), `${installed}.transcript.jsonl`);
    expect(await again()).toBe(text);
    expect(jsonLines((await computer.run(['sessions', '--copies', '--remove', '--json'])).out)).toHaveLength(1);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test('says how to go on', async () => {
    const { computer, file } = planted('claude-code', PLACES['claude-code'][0]);
    const { code, err } = await computer.run(['optimize', file, '--strategy', 'high-density', '--install', ...ARGS]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^next: cd .* && claude --resume [\w-]{36}\n$/)]);
  });

  test('makes no session that latest names before somebody went on from it', async () => {
    const { computer, file } = planted('claude-code', PLACES['claude-code'][0]);
    const made = await computer.run(['optimize', file, '--strategy', 'high-density', '--install', '--json', ...ARGS]);
    const installed = String(jsonLines(made.out)[0]?.['output']);
    const latest = async (...named: string[]) =>
      jsonLines((await computer.run([named.length > 0 ? 'inspect' : 'replay', ...named, '--json'])).out)[0]?.['file'];
    expect(await latest('latest')).toBe(file);
    expect(await latest()).toBe(file);
    appendFileSync(installed, readFileSync(installed, 'utf8').trimEnd().split('\n').at(-1)!.concat('\n'));
    expect(await latest('latest')).toBe(installed);
  });

  test('installs nothing if nothing is removed', async () => {
    const { computer, file } = planted('claude-code', PLACES['claude-code'][0]);
    const smaller = path.join(computer.folder, 'smaller.jsonl');
    expect(await computer.run(['optimize', file, '-o', smaller])).toMatchObject({ code: 0 });
    renameSync(smaller, file);
    utimesSync(file, 1_767_600_000, 1_767_600_000);
    const { code, out } = await computer.run(['optimize', file, '--install']);
    expect([code, out]).toEqual([0, expect.stringContaining('nothing was installed')]);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test('refuses while the agent writes, and writes nothing', async () => {
    const { computer, file, text } = planted('claude-code', PLACES['claude-code'][0]);
    // Still within seconds of its last change, however long the command takes to start.
    const soon = new Date(Date.now() + 3_600_000);
    utimesSync(file, soon, soon);
    const { code, err } = await computer.run(['optimize', file, '--install']);
    expect([code, err]).toEqual([1, expect.stringContaining('does not write to')]);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('refuses a format whose agent is not known, and wants one place', async () => {
    const computer = new Computer();
    const file = computer.write('own.jsonl', sessionText(EDITED));
    const unknown = await computer.run(['optimize', file, '--install']);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('is not known')]);
    for (const args of [[], ['--install', '-o', 'x.jsonl']]) {
      const { code, err } = await computer.run(['optimize', file, ...args]);
      expect([code, err]).toEqual([2, expect.stringContaining('--install')]);
    }
  });

  test('says how an export of OpenCode comes into its database', async () => {
    const { computer, file } = planted('opencode', 'export.json');
    const { code, err } = await computer.run(['optimize', file, '--strategy', 'high-density', '--install', ...ARGS]);
    expect([code, err]).toEqual([1, expect.stringContaining('`opencode import <file>` puts it into the database')]);
    expect(err).not.toContain('got opencode');
  });

  test('leaves nothing behind if the removed text cannot be kept', async () => {
    const { computer, file } = planted('claude-code', PLACES['claude-code'][0]);
    const folder = path.dirname(file);
    const { code } = await computer.run(
      ['optimize', file, '--strategy', 'high-density', '--install', '--archive', 'on', ...ARGS],
      {
        XDG_DATA_HOME: path.join(file),
      },
    );
    expect(code).not.toBe(0);
    expect(readdirSync(folder)).toEqual([path.basename(file)]);
  });
});
