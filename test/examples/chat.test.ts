import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtFile } from '../built-file.ts';
import { Computer, EDITED, jsonLines, type Outcome, outcomeOf, sessionText } from '../e2e/density.ts';
import { TestTerminal } from '../e2e/test-terminal.ts';
import { ChatServer } from '../providers/chat-server.ts';

const server = new ChatServer();
let file = '';
beforeAll(async () => {
  await server.start();
  file = fileURLToPath(await builtFile('examples/chat/chat.ts'));
});
afterAll(() => server.stop());
beforeEach(() => {
  server.reply = () => 'Yes.';
});

function start(computer: Computer, more: readonly string[] = []): ChildProcess {
  return computer.start([...server.args, ...more], {}, file);
}

/** Runs a chat with these input lines. */
function chat(computer: Computer, lines: readonly string[], more: readonly string[] = []): Promise<Outcome> {
  const child = start(computer, more);
  child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  return outcomeOf(child);
}

/** The one session file. */
function sessionOf(computer: Computer): string {
  const folder = path.join(computer.home, '.local/share/high-density/sessions');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  expect(names).toHaveLength(1);
  return path.join(folder, names[0]!);
}

const isJson = (line: string): boolean => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

/** Two reads of one file, with enough text that pruning pays. */
const theirs = (computer: Computer): string =>
  computer.write('theirs.jsonl', sessionText(EDITED, { workspaceRoot: '/project' }));

describe('the chat of the examples, line by line', () => {
  test('answers, says what it needs, and ends with the code of its last line', async () => {
    const computer = new Computer();
    server.reply = (newest) => `You said ${newest}.\nBye.`;
    const { code, out } = await chat(computer, ['Hello', '/stats', '/nothing']);
    expect(out).toContain('gpt-5 · offloaded · ');
    expect(out).toContain('You said Hello.\nBye.\n2 entries, ');
    expect(out).toContain('There is no /nothing; /help lists all.');
    expect(code).toBe(0);
    const nobody = await outcomeOf(computer.start(['--provider', 'anthropic'], {}, file));
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('ANTHROPIC_API_KEY') });
    const noFile = await chat(computer, ['Hello'], ['--from', 'none.json']);
    expect(noFile).toMatchObject({ code: 1, out: expect.stringMatching(/Expected a file [^\n]*none\.json[^\n]*\n$/) });
  });

  test('accepts each setting with /set from the next send on, and says what is wrong with other input (REQ-HD-004.4, REQ-HD-009.1 to 009.4)', async () => {
    const { out, code } = await chat(new Computer(), [
      '/set compression.strategy high-density',
      '/set compression.density.readWritePruning true',
      '/set compression.density.fileDedupe true',
      '/set compression.density.recencyPruning true',
      '/set compression.density.recencyRetention 3',
      '/set compression.density.recencyRetention some',
      '/set compression.stratgy high-density',
      '/set compression.engine inline',
      '/stats',
    ]);
    expect(out.match(/\(session\)/g)).toHaveLength(6);
    expect(out).toContain('compression.density.recencyRetention 3 (session)');
    expect(out).toContain('Expected `compression.density.recencyRetention` to be a whole number, got `"some"`.');
    expect(out).toContain('Did you mean `compression.strategy`?');
    expect(out).toContain('engine inline');
    expect(code).toBe(0);
  });

  test('uses a setting that was typed at the next send', async () => {
    const computer = new Computer();
    const lines = [
      '/set compression.density.readWritePruning false',
      '/set compression.profile specification',
      'Go on.',
    ];
    const kept = await chat(computer, lines, ['--from', theirs(computer)]);
    expect(kept.out).toContain('Yes.');
    expect(JSON.stringify(server.messages).match(/const before = 1;/g)?.length).toBe(50);
  });

  test('continues a copy of a session of any agent and prunes it; the file itself does not change', async () => {
    const computer = new Computer();
    const from = theirs(computer);
    const text = readFileSync(from, 'utf8');
    const lines = ['/set compression.profile specification', 'Go on.', '/stats'];
    for (const engine of ['inline', 'offloaded']) {
      const { out } = await chat(computer, lines, ['--from', from, '--engine', engine]);
      expect(out).toContain('Resumed with 8 entries.');
      expect(out).toMatch(/\[pruned: \d+ → \d+ tokens\]/);
      expect(out).toContain(`engine ${engine}`);
      expect(JSON.stringify(server.messages)).not.toContain('const before = 1;');
    }
    expect(readFileSync(from, 'utf8')).toBe(text);
  });

  test('compresses at once and undoes it, and its session is resumed as it was', async () => {
    const computer = new Computer();
    const from = theirs(computer);
    const { out } = await chat(
      computer,
      ['/compress', '/compress nonsense', '/undo', '/undo', '/compress'],
      ['--from', from],
    );
    expect(out).toMatch(/Compressed with high-density: /);
    expect(out).toContain('Nearest valid value');
    expect(out).toMatch(/\d entries restored\.[\s\S]*There is no compression to undo\./);
    const session = sessionOf(computer);
    const listed = jsonLines((await computer.run(['sessions', '--json', '--exact'])).out);
    expect(listed).toMatchObject([{ agent: 'density', format: 'high-density', project: computer.folder }]);
    const entries = Number(listed[0]?.['entries']);
    const resumed = await chat(computer, ['What was it?'], ['--session', session]);
    expect(resumed.out).toContain(`Resumed with ${entries} entries.`);
    expect(JSON.stringify(server.messages)).toContain('Rename it, please.');
  });
});

describe('the session of the chat', () => {
  test('has one writer', async () => {
    const computer = new Computer();
    server.reply = () => undefined;
    const first = start(computer);
    const asked = server.loopback.requests.length;
    first.stdin?.write('Hello.\n');
    await expect.poll(() => server.loopback.requests.length).toBeGreaterThan(asked);
    const session = sessionOf(computer);
    const second = await chat(computer, ['Me too.'], ['--session', session]);
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`process ${first.pid} writes`) });
    first.kill('SIGKILL');
    await outcomeOf(first);
    server.reply = () => 'Here.';
    expect((await chat(computer, ['And now?'], ['--session', session])).out).toContain('Here.');
  });

  test('can be resumed after its process is killed at any moment', async () => {
    const computer = new Computer();
    const from = theirs(computer);
    server.reply = () => 'Read. '.repeat(50);
    let known = 0;
    // `npm run proof -- killed-chats` kills a hundred.
    for (let round = 0; round < 5; round++) {
      const child = start(computer, round === 0 ? ['--from', from] : ['--session', sessionOf(computer)]);
      const output: string[] = [];
      child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
      child.stdin?.on('error', () => {});
      child.stdin?.write(`${['Read it.', '/compress', 'Again.', '/undo', 'And again.'].join('\n')}\n`);
      // Each round is killed a little later than the one before.
      await expect.poll(() => output.join('').length).toBeGreaterThan(200 + round * 160);
      child.kill('SIGKILL');
      await outcomeOf(child);
      const whole = readFileSync(sessionOf(computer), 'utf8').split('\n').slice(0, -1);
      expect(whole.length).toBeGreaterThanOrEqual(known);
      known = whole.length;
      const broken = whole.filter((line) => line !== '' && !isJson(line));
      expect(broken.length).toBeLessThanOrEqual(round);
    }
    const { out, code } = await chat(computer, ['Still there?'], ['--session', sessionOf(computer)]);
    expect(code).toBe(0);
    expect(out).toMatch(/Resumed with \d+ entries/);
  });
});

describe('the chat of the examples on a terminal', () => {
  const open = (computer: Computer, more: readonly string[] = []): TestTerminal =>
    new TestTerminal([file, ...server.args, ...more], {
      cwd: computer.folder,
      home: computer.home,
      program: process.execPath,
    });

  test('echoes what is typed while an answer arrives, and sends it afterwards', async () => {
    server.reply = (newest) => (newest === 'First' ? undefined : `Echo of ${newest}.`);
    const terminal = open(new Computer());
    await terminal.shows('gpt-5 · offloaded');
    terminal.type('First\r');
    await terminal.shows('First');
    terminal.type('Second');
    await terminal.shows(/> Second$/);
    terminal.type('\u0003');
    await terminal.shows(/Cancelled\.[\s\S]*> Second$/);
    terminal.type('\r');
    await terminal.shows('Echo of Second.');
    terminal.type('\u0004');
    expect(await terminal.exited).toBe(0);
  });

  test('shows no control characters of the model', async () => {
    server.reply = () => 'Red \u001b[31mtext\u001b[0m and a \u0007bell.\rx';
    const terminal = open(new Computer());
    terminal.type('Hello\r');
    await terminal.shows('Red text and a bell.x');
    expect(terminal.raw).not.toContain('\u001b[31m');
    terminal.type('\u0003');
    expect(await terminal.exited).toBe(0);
  });
});
