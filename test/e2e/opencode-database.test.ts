import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, watch } from 'node:fs';
import path from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, describe, expect, test } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because a process of its own runs it.
import { addMessage, addSession, newDatabase } from '../fixtures/opencode-database.mjs';
import { answered, asked, done, opencodeSample, SESSION, text, tool } from '../formats/opencode-fixture.ts';
import { Computer, jsonLines, outcomeOf } from './density.ts';

const computer = new Computer();
const opencodeFolder = path.join(computer.home, '.local/share/opencode');
const copies = path.join(computer.home, 'copies');
mkdirSync(opencodeFolder, { recursive: true });
mkdirSync(copies);
const file = path.join(opencodeFolder, 'opencode.db');
const address = `${file}#${SESSION}`;

const directory = path.join(computer.home, 'my project');
const edit = { filePath: '/repo/demo/a.ts', oldString: 'let a', newString: 'const a' };
const messages = [
  asked('01', text('Why?')),
  answered('02', '01', {}, tool('c1', 'read', done({ filePath: '/repo/demo/a.ts' }, 'let a = 1;\n'.repeat(50)))),
  answered('03', '01', {}, tool('c2', 'edit', done(edit, 'Edit applied successfully.'))),
  answered('04', '01', {}, text('It is constant now.')),
];
const database = newDatabase(file);
addSession(database, { id: SESSION, title: 'Make it constant', directory, updated: 9_000 });
addSession(database, { id: 'ses_child', parent: SESSION, title: 'Look around', updated: 9_500 });
addSession(database, { id: 'ses_older', title: 'Older', updated: 1_000 });
for (const [index, message] of messages.entries())
  addMessage(database, message as Parameters<typeof addMessage>[1], index);
afterAll(() => database.close());

const run = (...args: string[]) => computer.run(args, { TMPDIR: copies });

describe('the database of opencode, while it is open', () => {
  test('is listed: each session of the user, with the agents that it started', async () => {
    const { code, out } = await run('sessions', '--json', '--exact');
    expect(code).toBe(0);
    const sessions = jsonLines(out);
    expect(sessions.map(({ path: place, title, subAgents }) => [place, title, subAgents])).toEqual([
      [address, 'Make it constant', 1],
      [`${file}#ses_older`, 'Older', 0],
    ]);
    expect(sessions[0]).toMatchObject({ agent: 'opencode', format: 'opencode', entries: 6, problem: null });
    expect(sessions[0]!['removableTokens']).toBe(0);
    expect(String(sessions[1]!['problem'])).toContain('ses_older');
    expect((await run('sessions')).out).toMatch(/my project +Make it constant/);
    expect((await run('doctor')).out).toMatch(/opencode +2 sessions/);
  });

  test('is copied once for the list and once for the figures of all its sessions', async () => {
    const made = new Set<string>();
    const watcher = watch(copies, (_event, name) => name !== null && made.add(name));
    await run('sessions', '--exact');
    await new Promise((resolve) => setImmediate(resolve));
    watcher.close();
    expect(made.size).toBe(2);
    expect(readdirSync(copies)).toEqual([]);
  });

  test('of more than 512 MB is read in place where Node can, and else refused with what to do', async () => {
    const huge = path.join(computer.home, 'huge.db');
    copyFileSync(file, huge);
    truncateSync(huge, 600 * 1024 * 1024);
    const { code, err } = await run('inspect', huge);
    const hasSqlite = 'getBuiltinModule' in process && process.getBuiltinModule?.('node:sqlite') !== undefined;
    expect(code).toBe(1);
    if (!hasSqlite) expect(err).toMatch(/less than 512 MB in .*huge\.db, got 0\.6 GB.*Node 22\.13/);
    expect(readdirSync(copies)).toEqual([]);
    rmSync(huge);
  });

  test('is where a session is found that was moved there from files', async () => {
    const old = computer.write(`.local/share/opencode/storage/session/p/${SESSION}.json`, opencodeSample.texts[0]!);
    const { out } = await run('sessions', '--json');
    expect(jsonLines(out).map(({ path: place }) => place)).toEqual([address, `${file}#ses_older`]);
    rmSync(old);
  });

  test.each([['inspect'], ['replay'], ['inspect', '--lint'], ['compare'], ['dev', 'count', '--model', 'gpt-5']])(
    'is read by %s %s',
    async (...command) => {
      const { code, out, err } = await run(...command, address);
      expect([code, err.replaceAll(/[^\n]*\r/g, '')]).toEqual([0, expect.not.stringContaining('density:')]);
      expect(out).not.toBe('');
    },
  );

  test('is never written: a smaller session is a new one to import, and comes back whole', async () => {
    const before = [file, `${file}-wal`].map((one) => readFileSync(one));
    const output = path.join(computer.home, 'out put.json');
    const made = await run('optimize', address, '-o', output, '--profile', 'specification');
    const { info, messages: written } = JSON.parse(readFileSync(output, 'utf8')) as {
      info: { id: string; title: string };
      messages: { info: { id: string; sessionID: string } }[];
    };
    expect(made.err).toBe(`next: cd '${directory}' && opencode import '${output}' && opencode --session ${info.id}\n`);
    expect(info.id).not.toBe(SESSION);
    expect(info.title).toBe('Make it constant (smaller)');
    expect(new Set(written.map((message) => message.info.sessionID))).toEqual(new Set([info.id]));
    const restored = path.join(computer.home, 'restored.json');
    const back = await run('restore', output, '-o', restored);
    expect([back.code, back.err]).toEqual([0, `next: density inspect ${restored}\n`]);
    expect(readFileSync(restored, 'utf8')).toContain('let a = 1;');
    const refused = await run('optimize', address, '-o', file, '--force');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('session itself')]);
    expect([file, `${file}-wal`].map((one) => readFileSync(one))).toEqual(before);
  });

  test('is continued by its own id where nothing is pruned', async () => {
    const [told] = jsonLines((await run('optimize', address, '--start', '--dry-run', '--json')).out);
    expect(told).toMatchObject({ output: null, resume: `cd '${directory}' && opencode --session ${SESSION}` });
  });

  test('leaves no copy behind', () => expect(readdirSync(copies)).toEqual([]));
});

test('a database that cannot be read is listed with the reason', async () => {
  const broken = new Computer();
  broken.write(
    '.local/share/opencode/opencode.db',
    Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]),
  );
  const { out } = await broken.run(['sessions', '--json']);
  expect(String(jsonLines(out)[0]!['problem'])).toContain('Expected a database of opencode');
  const { code, out: findings } = await broken.run(['doctor']);
  expect([code, findings.replaceAll(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringContaining('Expected a database of opencode'),
  ]);
});

describe('an interrupt while a large database is copied', () => {
  const large = path.join(computer.home, 'large.db');
  const filled = new sqlite.Database(large);
  filled.exec('create table padding (bytes blob); insert into padding values (zeroblob(150000000))');
  filled.close();

  test.each([['inspect'], ['compare']])('leaves no copy: %s', async (command) => {
    const mine = path.join(computer.home, `copies-${command}`);
    mkdirSync(mine);
    const isCopying = (): boolean =>
      readdirSync(mine).some(
        (name) => name.startsWith('high-density-') && existsSync(path.join(mine, name, 'copy.db')),
      );
    // A machine may be too busy to see a copy before it is gone again.
    for (let wasSeen = false; !wasSeen; ) {
      const child = computer.start([command, `${large}#ses_any`], { TMPDIR: mine });
      const ended = outcomeOf(child);
      while (!wasSeen && child.exitCode === null) {
        wasSeen = isCopying();
        await new Promise((resolve) => setTimeout(resolve, wasSeen ? 0 : 1));
      }
      child.kill('SIGINT');
      expect((await ended).code).not.toBe(0);
      expect(readdirSync(mine)).toEqual([]);
    }
  });
});
