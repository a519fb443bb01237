import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChatServer } from '../chat/chat-server.ts';
import { SessionBuilder } from '../formats/claude-code-fixture.ts';
import { Computer, EDITED, jsonLines, type Outcome, outcomeOf, sessionText } from './density.ts';

const server = new ChatServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.reply = () => 'Yes.';
});

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

/** The command starts slowly on a busy machine. */
const PATIENT = { interval: 2, timeout: 60_000 };

/** Runs a chat with these input lines. */
function chat(computer: Computer, lines: readonly string[], more: readonly string[] = []): Promise<Outcome> {
  const child = computer.start([...server.args, ...more]);
  child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  return outcomeOf(child);
}

const sessionsOf = (computer: Computer): string[] => {
  const folder = path.join(computer.home, '.local/share/high-density/sessions');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
};

describe('density chat without a terminal', () => {
  test('answers line by line: answers on standard output, everything else on standard error', async () => {
    const computer = new Computer();
    computer.write('work/a.txt', 'one\ntwo\n');
    server.reply = (newest, role) =>
      role === 'user' && newest.includes('read')
        ? { text: 'Let me look.', name: 'read_file', input: { file_path: 'a.txt' } }
        : `It has ${newest.split('\n').length} lines.`;
    const { code, out, err } = await chat(computer, ['Please read a.txt', '/stats']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Let me look\.\nIt has 3 lines\.\nsession +\d{8}-/);
    expect(err).toContain('✓ read_file a.txt — 2 lines');
    expect(err).toMatch(/gpt-5 · [\d.]+k of 272k [█░]{10} <?1% · high-density · nothing pruned · threads/);
  });

  test('attaches @files in the delimiters, and prunes the older copy (REQ-HD-006.1)', async () => {
    const computer = new Computer();
    computer.write('work/a.txt', 'word '.repeat(3000));
    const { err } = await chat(computer, ['Look at @a.txt', 'Again: @a.txt']);
    expect(err).toContain('Attached a.txt.');
    expect(err).toMatch(/−[\d.]+k tokens: 1 duplicate/);
    const sent = JSON.stringify(server.messages.slice(1));
    expect(sent.match(/--- a\.txt ---/g)).toHaveLength(1);
    expect(sent.match(/--- End of content ---/g)).toHaveLength(1);
  });

  test('changes nothing without --yes, because it cannot ask', async () => {
    const computer = new Computer();
    server.reply = (_newest, role) =>
      role === 'user'
        ? { text: '', name: 'write_file', input: { file_path: 'made.txt', content: 'made' } }
        : 'So it is.';
    const declined = await chat(computer, ['Write it.']);
    expect(declined.err).toContain('--yes allows');
    expect(existsSync(path.join(computer.folder, 'made.txt'))).toBe(false);
    await chat(computer, ['Write it.'], ['--yes']);
    expect(readFileSync(path.join(computer.folder, 'made.txt'), 'utf8')).toBe('made');
  });

  test('accepts all settings with /set, and says what is wrong with other input (REQ-HD-009)', async () => {
    const { out, err, code } = await chat(new Computer(), [
      '/set compression.strategy high-density',
      '/set compression.density.readWritePruning true',
      '/set compression.density.fileDedupe true',
      '/set compression.density.recencyPruning true',
      '/set compression.density.recencyRetention 3',
      '/set compression.density.recencyRetention some',
    ]);
    expect(out.match(/this session/g)).toHaveLength(5);
    expect(err).toContain('Expected `compression.density.recencyRetention` to be a whole number, got `"some"`.');
    expect(code).toBe(0);
  });

  test('says what fails and how to start', async () => {
    const computer = new Computer();
    const nobody = await computer.run(['chat', 'Hello']);
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining('ANTHROPIC_API_KEY') });
    const noFolder = await chat(computer, [], ['--workspace', 'none']);
    expect(noFolder).toMatchObject({ code: 2, err: expect.stringContaining('--workspace') });
    const both = await chat(computer, [], ['--resume', '--from', 'x']);
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('got both') });
    expect((await chat(computer, [], ['--resume'])).err).toContain('Expected a session to continue');
    const noFile = await chat(computer, ['Hello'], ['--from', 'none.json']);
    expect(noFile).toMatchObject({ code: 1, err: expect.stringMatching(/^Expected a file [^\n]*none\.json[^\n]*\n$/) });
  });
});

describe('sessions of density chat', () => {
  test('are kept, listed and resumed', async () => {
    const computer = new Computer();
    await chat(computer, ['Remember the harbour.']);
    const listed = jsonLines((await computer.run(['sessions', '--json', '--exact'])).out);
    expect(listed).toMatchObject([{ agent: 'density', format: 'high-density', entries: 2, project: computer.folder }]);
    const { err } = await chat(computer, ['What was it?'], ['--resume']);
    expect(err).toContain('Resumed with 2 entries.');
    expect(server.messages.map(({ role }) => role)).toEqual(['developer', 'user', 'assistant', 'user']);
    expect(sessionsOf(computer)).toHaveLength(1);
  });

  test('of other agents are continued in a copy; their files do not change', async () => {
    const computer = new Computer();
    const text = sessionText(EDITED);
    const file = computer.write('theirs.jsonl', text);
    const { err } = await chat(computer, ['Go on.'], ['--from', file, '--profile', 'specification']);
    expect(err).toContain('Continuing a copy of a session of high-density, 8 entries.');
    expect(err).toMatch(/1 stale read/);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const [own] = sessionsOf(computer);
    expect((await computer.run(['inspect', own!, '--json'])).code).toBe(0);
  });

  test.each(['openai-chat', 'ai-sdk-messages', 'gemini-api'])(
    'of other agents are pruned after a conversion to %s too',
    async (to) => {
      const computer = new Computer();
      const session = new SessionBuilder();
      session.user('Change a.ts.');
      session.call('m1', 't1', 'Read', { file_path: '/repo/demo/a.ts' });
      session.result('t1', 'one line\n'.repeat(800));
      session.call('m2', 't2', 'Write', { file_path: '/repo/demo/a.ts', content: 'two' });
      session.result('t2', 'Written.');
      session.text('m3', 'Done.');
      computer.write('work/theirs.jsonl', session.toString());
      await computer.run(['convert', 'theirs.jsonl', '--to', to, '-o', 'converted.json']);
      const { err } = await chat(computer, ['Go on.'], ['--from', 'converted.json']);
      expect(err).toMatch(/1 stale read/);
    },
  );

  test('have one writer', async () => {
    const computer = new Computer();
    server.reply = () => undefined;
    const first = computer.start(server.args);
    first.stdin?.write('Hello.\n');
    await expect.poll(() => sessionsOf(computer).length, PATIENT).toBeGreaterThan(1);
    const second = await chat(computer, ['Me too.'], ['--resume']);
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`process ${first.pid} writes`) });
    first.kill('SIGKILL');
    await outcomeOf(first);
    server.reply = () => 'Here.';
    expect(await chat(computer, ['And now?'], ['--resume'])).toMatchObject({ code: 0, out: 'Here.\n' });
  });

  test('are read before the first piped line runs', async () => {
    const computer = new Computer();
    await chat(computer, ['My word is tide.']);
    const { out, err } = await chat(computer, ['/context'], ['--resume']);
    expect(out).toMatch(/^you +\d/m);
    expect(err).toContain('Resumed with 2 entries.');
  });

  test('can be resumed after their process is killed at any moment', async () => {
    const computer = new Computer();
    writeFileSync(path.join(computer.folder, 'a.txt'), 'word '.repeat(2_000));
    server.reply = (_newest, role) =>
      role === 'user' ? { text: 'Reading.', name: 'read_file', input: { file_path: 'a.txt' } } : 'Read. '.repeat(50);
    let known = 0;
    // `npm run proof -- killed-chats` kills a hundred.
    for (let round = 0; round < 5; round++) {
      const child = computer.start([...server.args, ...(round > 0 ? ['--resume'] : [])]);
      const output: string[] = [];
      child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
      child.stdin?.on('error', () => {});
      child.stdin?.write(`${['Read it.', '/compress', 'Again.', '/undo', 'And again.'].join('\n')}\n`);
      // Each round is killed a little later than the one before.
      await expect.poll(() => output.join('').length, PATIENT).toBeGreaterThan(round * 160);
      child.kill('SIGKILL');
      await outcomeOf(child);
      const file = sessionsOf(computer).find((name) => name.endsWith('.jsonl'))!;
      const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      expect(whole.length).toBeGreaterThanOrEqual(known);
      known = whole.length;
      const broken = whole.filter((line) => line !== '' && !isJson(line));
      expect(broken.length).toBeLessThanOrEqual(round);
    }
    const { err, code } = await chat(computer, ['Still there?'], ['--resume']);
    expect(code).toBe(0);
    expect(err).toMatch(/Resumed with \d+ entries/);
  }, 300_000);
});
