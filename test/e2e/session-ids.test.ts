import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codex } from '../../src/formats/codex/codex.ts';
import { decode, joinLines } from '../../src/formats/lines/lines.ts';
import { shortIds } from '../../src/sessions/places/session-ids.ts';
import { claudeCodeSample } from '../formats/claude-code-fixture.ts';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';
import { TestTerminal } from './test-terminal.ts';

const ONE = '019b8c10-5d2e-7000-8000-00000000aaaa';
const TWO = '019b8c10-5d2f-7000-8000-00000000bbbb';

const rollout = (workspaceRoot: string, id: string): string =>
  decode(joinLines(codex.create?.(EDITED, { id, workspaceRoot, startedAt: Date.UTC(2026, 0, 5, 8) }) ?? []));

/** Two sessions of Codex: an older one of the working folder, a newer one of another project. */
function planted(): { computer: Computer; own: string; other: string } {
  const computer = new Computer();
  const own = computer.write(`.codex/sessions/rollout-2026-01-05T08-00-00-${ONE}.jsonl`, rollout(computer.folder, ONE));
  const other = computer.write(`.codex/sessions/rollout-2026-01-06T08-00-00-${TWO}.jsonl`, rollout('/other', TWO));
  utimesSync(own, 1_767_600_000, 1_767_600_000);
  return { computer, own, other };
}

/** The `file` that `inspect` says it read. */
async function inspectedFile(computer: Computer, named: string): Promise<unknown> {
  const { out, err, code } = await computer.run(['inspect', named, '--json']);
  expect(code, err).toBe(0);
  return jsonLines(out)[0]?.['file'];
}

describe('ids of sessions', () => {
  test('sessions lists a short id for each, in its table and as JSON', async () => {
    const { computer, own, other } = planted();
    const { out } = await computer.run(['sessions', '--json']);
    const ids = new Map(jsonLines(out).map(({ id, path: file }) => [file, id]));
    expect(ONE.startsWith(String(ids.get(own)))).toBe(true);
    const table = (await computer.run(['sessions'])).out;
    expect(table).toContain(`\n${String(ids.get(own))}  Codex`);
    expect(table).toContain(`\n${String(ids.get(other))}  Codex`);
  });

  test('sessions and inspect say one next step, with the id', async () => {
    const { computer, own, other } = planted();
    const ids = shortIds([own, other]);
    const listed = await computer.run(['sessions']);
    expect(listed.err).toMatch(new RegExp(`next: density inspect ${ids.get(other)}\n$`));
    const inspected = await computer.run(['inspect', own]);
    expect(inspected.err).toBe(`next: density optimize ${ids.get(own)} -o smaller.jsonl\n`);
  });

  test('are longer where another begins in the same way', () => {
    const files = Array.from({ length: 20_000 }, (_, index) => `/sessions/${index}.jsonl`);
    const ids = [...shortIds(files).values()].sort();
    expect(ids.filter((id, at) => ids[at + 1]?.startsWith(id))).toEqual([]);
    expect(Math.min(...ids.map(({ length }) => length))).toBe(6);
    expect(Math.max(...ids.map(({ length }) => length))).toBeGreaterThan(6);
  });

  test('are the start of the id that the agent gives a session', () => {
    const places = {
      [`/.claude/projects/-p/fffff083-5d2e-4000-8000-000000000001.jsonl`]: 'fffff083-5',
      [`/.claude/projects/-p/fffff083-6d2e-4000-8000-000000000001.jsonl`]: 'fffff083-6',
      [`/.codex/sessions/2026/01/05/rollout-2026-01-05T08-00-00-${ONE}.jsonl`]: '019b8c',
      '/.gemini/tmp/p/chats/session-2026-01-05T08-00-5f3c2d1e.jsonl': '5f3c2d',
      '/.pi/agent/sessions/--p--/2026-01-05T08-00-00-000Z_6f3c2d1e-0000-4000-8000-000000000001.jsonl': '6f3c2d',
      '/.local/share/opencode/opencode.db#ses_20b5413bcffeU9tjYsYXWYC3zL': 'ses_20',
      '/.copilot/session-state/7f3c2d1e-0000-4000-8000-000000000001/events.jsonl': '7f3c2d',
    };
    expect(Object.fromEntries(shortIds(Object.keys(places)))).toEqual(places);
  });

  test('of earlier versions still name their sessions', async () => {
    const { computer, own, other } = planted();
    for (const file of [own, other])
      expect(await inspectedFile(computer, createHash('sha256').update(file).digest('hex').slice(0, 6))).toBe(file);
  });

  test('a command takes a short id, and the own id of the agent', async () => {
    const { computer, own, other } = planted();
    const id = shortIds([own, other]).get(own) ?? '';
    for (const named of [id, id.toUpperCase(), ONE]) {
      expect(await inspectedFile(computer, named)).toBe(own);
    }
    expect(await inspectedFile(computer, TWO)).toBe(other);
  });

  test('an id that the file only contains is found', async () => {
    const computer = new Computer();
    const id = '5f3c2d1e-0000-4000-8000-000000000001';
    const file = computer.write('.llxprt/tmp/p/chats/session-1.jsonl', sessionText(EDITED, { id }));
    expect(await inspectedFile(computer, id)).toBe(file);
  });

  test('every command that takes a session takes its id', async () => {
    const { computer, own, other } = planted();
    const id = shortIds([own, other]).get(own) ?? '';
    for (const args of [
      ['inspect', '--lint', id],
      ['optimize', id, '-o', 'o.jsonl', '--profile', 'recommended'],
      ['optimize', id, '-o', 'c.jsonl', '--strategy', 'top-down-truncation'],
      ['convert', id, '--to', 'claude-code', '-o', 'v.jsonl'],
      ['replay', id, '-o', 'page.html'],
      ['replay', id],
      ['compare', id],
      ['optimize', id, '--model', 'claude-haiku-4-5', '--dry-run'],
    ]) {
      const { code, err } = await computer.run(args);
      expect(code, `${args.join(' ')}: ${err}`).toBe(0);
    }
    const { code, err } = await computer.run(['restore', id, '-o', 'r.jsonl']);
    expect([code, err]).toEqual([1, expect.stringContaining(`${own}.transcript.jsonl`)]);
  });

  test('a path that exists wins over an id', async () => {
    const { computer, own, other } = planted();
    const id = shortIds([own, other]).get(own) ?? '';
    copyFileSync(other, path.join(computer.folder, id));
    expect(await inspectedFile(computer, id)).toBe(id);
    copyFileSync(other, path.join(computer.folder, 'latest'));
    expect(await inspectedFile(computer, 'latest')).toBe('latest');
  });

  test('an id of several sessions lists them, and an unknown one says what to do', async () => {
    const { computer, own, other } = planted();
    const several = await computer.run(['inspect', ONE.slice(0, 12)]);
    expect(several.code).not.toBe(0);
    for (const id of shortIds([own, other]).values()) expect(several.err).toContain(`\n  ${id}  Codex`);
    const unknown = await computer.run(['inspect', 'zzzzzz']);
    expect(unknown.code).not.toBe(0);
    expect(unknown.err).toMatch(/"zzzzzz".*no session on this computer has this id.*`density sessions`/s);
  });

  test('latest is the newest of this folder, else of the computer, and says which', async () => {
    const { computer, own, other } = planted();
    const here = await computer.run(['inspect', 'latest', '--json']);
    expect(jsonLines(here.out)[0]).toMatchObject({ file: own });
    expect(here.err).toContain('Newest session in this folder, from Codex: ~/.codex');
    mkdirSync(path.join(computer.folder, 'below'));
    const elsewhere = new Computer();
    const env = { HOME: computer.home };
    const there = await elsewhere.run(['inspect', 'latest', '--json'], env);
    expect(jsonLines(there.out)[0]).toMatchObject({ file: other });
    expect(there.err).toContain('Newest session on this computer, from Codex: ~/.codex');
  });

  test('latest skips a file that is no session, and says if there is none', async () => {
    const { computer, own } = planted();
    computer.write('.codex/sessions/rollout-3.jsonl', 'nothing\n');
    expect(await inspectedFile(computer, 'latest')).toBe(own);
    const { code, err } = await new Computer().run(['inspect', 'latest']);
    expect(code).not.toBe(0);
    expect(err).toContain('`density doctor`');
  });

  test('without a name, every command that needs one session takes the newest of this folder, and says so', async () => {
    const { computer, own } = planted();
    const [name] = path.basename(own).split('.');
    for (const args of [
      ['inspect'],
      ['inspect', '--lint'],
      ['optimize', '--dry-run'],
      ['optimize', '--start', '--dry-run'],
      ['optimize', '--model', 'claude-haiku-4-5', '--dry-run'],
      ['convert', '--to', 'claude-code', '-o', 'converted.jsonl'],
      ['replay'],
    ]) {
      const { code, err } = await computer.run(args);
      expect([args, code, err]).toEqual([
        args,
        0,
        expect.stringContaining('Newest session in this folder, from Codex'),
      ]);
      expect(err).toContain(name);
    }
    const asked = await computer.run(['inspect', 'pick']);
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('Expected a terminal for pick')]);
  });

  test('sessions, inspect and optimize say the same of one session: what is removable now', async () => {
    const { computer, own } = planted();
    const first = async (...args: string[]) => jsonLines((await computer.run(args)).out)[0]!;
    const listed = jsonLines((await computer.run(['sessions', '--exact', '--json'])).out);
    const figures = listed.find(({ path: file }) => file === own)!;
    const inspected = await first('inspect', own, '--json');
    const optimized = await first('optimize', own, '--dry-run', '--json');
    expect(figures['removableTokens']).toBeGreaterThan(0);
    expect(inspected['removableTokens']).toBe(figures['removableTokens']);
    expect(Number(optimized['tokens']) - Number(optimized['tokensAfter'])).toBe(figures['removableTokens']);
    const words = async (...args: string[]) => (await computer.run(args)).out;
    const said = /([\d,]+ → [\d,]+ tokens in the context, \d+% removable now)/;
    const [, shown] = said.exec(await words('inspect', own)) ?? [];
    expect(shown).toMatch(said);
    expect(await words('optimize', own, '--dry-run')).toContain(shown);
  });

  test('pick lets a person pick one on a terminal: those of this folder first, filtered by typing', async () => {
    const { computer, own, other } = planted();
    const ids = shortIds([own, other]);
    const at = { cwd: computer.folder, home: computer.home };
    const terminal = new TestTerminal(['inspect', 'pick', '--json'], at);
    const text = await terminal.shows(/Rename it, please[\s\S]*Rename it, please/);
    expect(text).toMatch(
      new RegExp(`in this folder\\n❯ ${ids.get(own)}  Codex .*\\nin other folders\\n +${ids.get(other)}  Codex `),
    );
    terminal.type('other');
    await terminal.shows('1 of 2 sessions');
    terminal.type('\r');
    expect(await terminal.exited).toBe(0);
    expect(terminal.text().replaceAll('\n', '')).toContain(`"file":"${other}"`);
    const optimized = new TestTerminal(['optimize', 'pick'], at);
    await optimized.shows('Which session?');
    optimized.type('\r');
    await optimized.shows('Nothing was written.');
    expect(await optimized.exited).toBe(0);
    const escapeKey = '\u001b';
    const controlD = '\u0004';
    for (const key of [escapeKey, controlD]) {
      const left = new TestTerminal(['inspect', 'pick', '--lint'], at);
      await left.shows('Which session?');
      left.type(key);
      await left.shows('No session was picked.');
      expect(await left.exited).toBe(2);
    }
  });
});

describe('without a name', () => {
  const computer = new Computer();
  // With calls of its own: a copied call counts in one session alone.
  const textOf = (name: string): string => (claudeCodeSample.texts[0] ?? '').replaceAll('req_', `req_${name}_`);
  const sessions = ['older', 'newer'].map((name) =>
    computer.write(
      `.claude/projects/-work-${name}/${name}.jsonl`,
      textOf(name).replaceAll(/"id":"(?=m)/g, `"id":"${name}-`),
    ),
  );
  computer.write('.codex/sessions/rollout-broken.jsonl', 'no session\n');

  test.each([
    ['bill', ['--by', 'session', '--json'], 'session'],
    ['compare', ['--json', '--policy', 'recommended'], 'path'],
  ])('%s takes what `density sessions` lists', async (command, options, key) => {
    const { code, out, err } = await computer.run([command, ...options]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^3 sessions on this computer[\s\S]*rollout-broken\.jsonl/)]);
    expect(
      jsonLines(out)
        .map((line) => line[key])
        .sort(),
    ).toEqual(sessions.toSorted());
  });

  test('compare --save takes what `density sessions` lists', async () => {
    const { code, out, err } = await computer.run(['compare', '--save', 'mine', '--json']);
    expect([code, err]).toEqual([0, expect.stringContaining('3 sessions on this computer')]);
    expect(jsonLines(out)).toEqual([
      expect.objectContaining({ chosenOn: expect.objectContaining({ sessions: 1 }), heldOut: expect.anything() }),
    ]);
  });

  test('bill --compactions takes what `density sessions` lists', async () => {
    const { code, err } = await computer.run(['bill', '--compactions']);
    expect([code, err]).toEqual([0, expect.stringContaining('3 sessions on this computer')]);
  });

  test.each(['bill', 'compare'])('%s says so where there is none', async (command) => {
    const { code, err } = await new Computer().run([command]);
    expect([code, err]).toEqual([1, expect.stringMatching(/none (?:that can be read )?was found/)]);
  });
});
