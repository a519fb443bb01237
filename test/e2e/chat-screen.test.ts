import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChatServer } from '../chat/chat-server.ts';
import { Computer } from './density.ts';
import { TestTerminal } from './test-terminal.ts';

const server = new ChatServer();
const terminals: TestTerminal[] = [];
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.reply = () => 'Yes.';
});
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.kill();
});

const ESCAPE = '\u001b';
const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';
const CONTROL_U = '\u0015';

/** The clock of a chat: a new question ignores keys for half a second of it. */
const CLOCK = pathToFileURL(path.resolve(import.meta.dirname, '../fixtures/stopped-clock.mjs')).href;

/** Holds a chat at its first prompt, until a file is there. */
const HELD_PROMPT = pathToFileURL(path.resolve(import.meta.dirname, '../fixtures/held-prompt.mjs')).href;

/** Lets a second pass for the chat, as when a person reads. */
async function reads(terminal: TestTerminal): Promise<void> {
  const seconds = (): number => terminal.raw.split(`${ESCAPE}]9;`).length;
  const before = seconds();
  terminal.kill('SIGUSR2');
  await expect.poll(seconds, { interval: 10 }).toBe(before + 1);
}

/** Answers an open question like a person: reads it, chooses, confirms. */
async function answer(terminal: TestTerminal, key: string): Promise<void> {
  await reads(terminal);
  await choose(terminal, key);
  terminal.type('\r');
}

/** Presses the key of an answer. What comes together with more is a message. */
async function choose(terminal: TestTerminal, key: string): Promise<void> {
  const word = { y: 'yes', n: 'no', a: 'always' }[key]!;
  terminal.type(key);
  await expect.poll(() => terminal.inverted(), { interval: 10 }).toContain(word);
}

interface Opening {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

function newTerminal(computer: Computer, { args = [], ...more }: Opening = {}): TestTerminal {
  const environment = { NODE_OPTIONS: `--import ${CLOCK}`, ...more.environment };
  const place = { cwd: computer.folder, home: computer.home };
  const terminal = new TestTerminal([...server.args, ...args], { ...place, ...more, environment });
  terminals.push(terminal);
  return terminal;
}

/** A chat that receives these keys after its first prompt and before its screen is loaded. */
async function typedAhead(keys: string, computer = new Computer()): Promise<TestTerminal> {
  const typed = path.join(computer.home, 'typed');
  const environment = { NODE_OPTIONS: `--import ${CLOCK} --import ${HELD_PROMPT}`, HELD_UNTIL: typed };
  const terminal = newTerminal(computer, { environment });
  await terminal.writes('> ');
  terminal.type(keys);
  writeFileSync(typed, '');
  return terminal;
}

/** A chat on a live screen, ready for typing. */
async function open(computer = new Computer(), options: Opening = {}): Promise<TestTerminal> {
  const terminal = newTerminal(computer, options);
  await terminal.shows('gpt-5 ·');
  return terminal;
}

describe('density chat on a terminal', () => {
  test('shows messages, calls and status, and quits with Ctrl-D', async () => {
    const computer = new Computer();
    computer.write('work/a.txt', 'one\ntwo\n');
    server.reply = (newest, role) =>
      role === 'user'
        ? { text: 'Let me look.', name: 'read_file', input: { file_path: 'a.txt' } }
        : `It says ${JSON.stringify(newest)}, and that is all there is to say about it.`;
    const terminal = await open(computer);
    terminal.type('What is in a.txt?\r');
    await terminal.shows('about it.');
    const text = await terminal.shows(/\n>\s*\n/);
    expect(text).toContain('> What is in a.txt?\nLet me look.\n✓ read_file a.txt — 2 lines\nIt says "one');
    expect(text).toMatch(
      /\ngpt-5 · [\d.]+k of 272k [█░]{10} <?1% · high-density · nothing pruned · threads\nlast call: /,
    );
    terminal.type(CONTROL_D);
    expect(await terminal.exited).toBe(0);
    expect(terminal.text()).toMatch(/The session is kept: density chat --resume \d{8}-\d{6}-[0-9a-f]{4}$/);
  });

  test('asks before it writes; a key chooses the answer and Enter confirms it', async () => {
    const computer = new Computer();
    server.reply = (newest, role) =>
      role === 'user'
        ? { text: '', name: 'write_file', input: { file_path: `${newest}.txt`, content: 'one\ntwo\n' } }
        : 'Well.';
    const terminal = await open(computer);
    terminal.type('first\r');
    expect(await terminal.shows('Allow it?')).toContain('│ +two');
    await answer(terminal, 'n');
    await terminal.shows('✗ write_file first.txt — declined');
    terminal.type('second\r');
    await terminal.shows('write second.txt');
    await answer(terminal, 'a');
    await terminal.shows('✓ write_file second.txt');
    terminal.type('third\r');
    await terminal.shows('✓ write_file third.txt');
    expect(readdirSync(computer.folder)).toEqual(['second.txt', 'third.txt']);
  });

  test('draws Markdown, the changes of an edit, and a command while it runs; Ctrl-O shows what was cut', async () => {
    const computer = new Computer();
    computer.write('work/a.ts', 'one\ntwo\nthree\n');
    server.reply = (newest, role) => {
      if (newest === 'edit')
        return { text: '', name: 'replace', input: { file_path: 'a.ts', old_string: 'two', new_string: '2' } };
      const command = 'for i in 1 2 3 4 5 6 7 8; do echo line-$i; done; while [ ! -e go ]; do sleep 0.05; done';
      if (newest === 'run') return { text: '', name: 'run_shell_command', input: { command } };
      return role === 'user' ? '## Found\n\n- **bold** item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' : 'It is done.';
    };
    const terminal = await open(computer);
    terminal.type('look\r');
    expect(await terminal.shows('1 │ 2')).toMatch(/Found\n\n• bold item\n\na │ b\n──┼──\n1 │ 2\n/);
    terminal.type('edit\r');
    expect(await terminal.shows('Allow it?')).toMatch(/│ -two +│\n│ \+2 +│/);
    await answer(terminal, 'y');
    expect(await terminal.shows('It is done.')).toMatch(
      /✓ replace a\.ts — \+1 −1\n {2}@@ line 1 @@\n {3}one\n {2}-two\n {2}\+2\n/,
    );
    terminal.type('run\r');
    await terminal.shows('run a command');
    await answer(terminal, 'y');
    expect(await terminal.shows(/line-8\n[^\n]*run_shell_command/)).not.toMatch(/\n {2}line-2\n/);
    computer.write('work/go', '');
    await terminal.shows('… 3 more lines, Ctrl-O shows all');
    terminal.type('\u000f');
    await terminal.shows(/line-1\n {2}line-2\n/);
  });

  test('folds a long paste, lists the commands at /, and shows what the provider counted', async () => {
    server.reply = (newest) => `Heard ${newest.split('\n').length} lines.`;
    const terminal = await open();
    terminal.type('/co');
    expect(await terminal.shows('2 of 15 commands')).toMatch(/\/compress \[strategy\] .*\n *\/context /);
    terminal.type('\u001b[B');
    terminal.type('\r');
    await terminal.shows('> /context');
    terminal.type(`${CONTROL_U}${ESCAPE}[200~${'pasted\r'.repeat(120)}${ESCAPE}[201~`);
    await terminal.shows('> [pasted 120 lines]');
    terminal.type(' and more\r');
    expect(await terminal.shows('Heard 121 lines.')).toContain('> [pasted 120 lines] and more');
    await terminal.shows(/last call: \d+ in .* tokens; counted/);
    terminal.type(`one${ESCAPE}\rtwo`);
    await terminal.shows(/> one\n\s*two/);
  });

  test.each([
    ['yes, go on\r', 'yes, go on'],
    ['always read first\r', 'always read first'],
    ['y\r', 'y'],
  ])('%j typed before a question is the next message and allows nothing', async (keys, message) => {
    const computer = new Computer();
    server.reply = (newest, role) => {
      if (role !== 'user') return 'Well.';
      return newest === 'write'
        ? { text: '', name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }
        : 'Heard.';
    };
    const terminal = await open(computer);
    terminal.type('write\r');
    await terminal.shows('Allow it?');
    for (const key of keys) terminal.type(key);
    await terminal.shows(`next: ${message}`);
    expect(readdirSync(computer.folder)).toEqual([]);
    await answer(terminal, 'n');
    await terminal.shows('Heard.');
    expect(readdirSync(computer.folder)).toEqual([]);
  });

  test('a choice becomes text if a message follows', async () => {
    const computer = new Computer();
    server.reply = (_newest, role) =>
      role === 'user' ? { text: '', name: 'write_file', input: { file_path: 'a.txt', content: 'x' } } : 'Well.';
    const terminal = await open(computer);
    terminal.type('write\r');
    await terminal.shows('Allow it?');
    await reads(terminal);
    await choose(terminal, 'a');
    terminal.type('ny');
    await terminal.shows(/\n> any\s*\n/);
    terminal.type('\r');
    await terminal.shows('next: any');
    expect(readdirSync(computer.folder)).toEqual([]);
  });

  test.each([
    ['Esc', ESCAPE],
    ['Ctrl-C', CONTROL_C],
  ])('%s cancels the turn, and the next one works', async (_name, key) => {
    server.reply = (newest) => (newest.includes('silent') ? undefined : 'Back again.');
    const terminal = await open();
    terminal.type('be silent\r');
    await terminal.shows('Esc cancels');
    await expect.poll(() => server.messages.at(-1)?.content).toBe('be silent');
    terminal.type(key);
    await terminal.shows('Cancelled.');
    await server.loopback.clientLeft;
    terminal.type('hello\r');
    await terminal.shows('Back again.');
  });

  test('accepts lines during a turn and sends them after it', async () => {
    server.reply = (newest) => (newest === 'wait' ? undefined : `Heard ${newest}.`);
    const terminal = await open();
    terminal.type('wait\r');
    await terminal.shows('Esc cancels');
    terminal.type('meanwhile');
    await terminal.shows('> meanwhile');
    terminal.type('\r');
    await terminal.shows('next: meanwhile');
    terminal.type(ESCAPE);
    await terminal.shows('Cancelled.');
    terminal.type('after\r');
    expect(await terminal.shows('Heard after.')).not.toContain('Heard meanwhile.');
  });

  test('completes commands, keys, values and files', async () => {
    const computer = new Computer();
    computer.write('work/notes.md', 'text');
    const terminal = await open(computer);
    terminal.type('/set compression.st\t');
    await terminal.shows('/set compression.strategy');
    terminal.type('hi\t\r');
    await terminal.shows(/compression\.strategy +high-density +this session/);
    terminal.type('/set compression.density.r\t');
    await terminal.shows('compression.density.recencyRetention');
    terminal.type(`${CONTROL_U}see @n\t`);
    await terminal.shows('> see @notes.md');
    terminal.type(CONTROL_C);
    await terminal.shows(/\n>\s*\n/);
    terminal.type('/set compression.stratgy x\r');
    await terminal.shows(/Did you mean\s+`compression\.strategy`/);
  });

  test('treats pasted input as text, and input typed ahead as keys', async () => {
    server.reply = (newest) => `Heard ${newest.split('\n').length} lines.`;
    const terminal = await open();
    terminal.type(`${ESCAPE}[200~one\rtwo\rthree${ESCAPE}[201~`);
    await terminal.shows(/> one\n\s*two\n\s*three/);
    terminal.type('\rsecond\rthird\r');
    await terminal.shows('Heard 3 lines.');
    const text = await terminal.shows(/(Heard 1 lines\.[\s\S]*){2}/);
    expect(text).toContain('> second');
    expect(text).toContain('> third');
  });

  test('compresses, undoes and shows the shares of the context', async () => {
    const computer = new Computer();
    computer.write('work/long.txt', 'word '.repeat(3_000));
    server.reply = (_newest, role) =>
      role === 'user' ? { text: '', name: 'read_file', input: { file_path: 'long.txt' } } : 'Read.';
    const terminal = await open(computer);
    terminal.type('read it\r');
    await terminal.shows('Read.');
    server.reply = () => 'Nothing else.';
    terminal.type('and?\r');
    await terminal.shows('Nothing else.');
    terminal.type('/context\r');
    await terminal.shows(/tool results +[\d,]+ +\d+% +█/);
    terminal.type('/compress\r');
    await terminal.shows(/−3\.0k tokens in .* with high-density/);
    terminal.type('/undo\r');
    await terminal.shows(/\+3\.0k tokens: 1 entry restored/);
  });

  test('resumes an earlier session', async () => {
    const computer = new Computer();
    const first = await open(computer);
    first.type('Remember the harbour.\r');
    await first.shows('Yes.');
    first.type('/quit\r');
    await first.exited;
    const again = await open(computer, { args: ['--resume'] });
    await again.shows('Resumed with 2 entries.');
    again.type('And?\r');
    await again.shows('Yes.');
    expect(server.messages).toHaveLength(4);
  });

  test('reads what is typed before the screen is loaded, and uses one session', async () => {
    server.reply = (newest) => `Heard ${newest}.`;
    const computer = new Computer();
    const early = await typedAhead('fist\u007f\u007frst\rsecond', computer);
    await early.shows('Heard first.');
    expect(await early.shows(/\n> second\s*\n/)).not.toContain('Heard second.');
    const other = newTerminal(computer, { args: ['--resume'] });
    expect(await other.exited).toBe(1);
    expect(other.text()).toMatch(/^density: Expected a session that no process writes to/);
  });

  test('treats a paste before the screen is loaded as one message', async () => {
    server.reply = (newest) => `Heard ${newest.split('\n').length} lines.`;
    const early = await typedAhead(`see: ${ESCAPE}[200~one\rtwo\rthree${ESCAPE}[201~\r`);
    await early.shows('Heard 3 lines.');
    expect(server.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('Ctrl-C ends it before the screen is loaded', async () => {
    const terminal = await typedAhead(CONTROL_C);
    expect(await terminal.exited).not.toBe(undefined);
    expect(terminal.text()).not.toContain('density:');
  });

  test('Ctrl-D that arrives together with other keys ends it', async () => {
    const terminal = await open();
    terminal.type(`not sent${CONTROL_U}${CONTROL_D}`);
    expect(await terminal.exited).toBe(0);
  });

  test('fits 60 columns without colour', async () => {
    const terminal = await open(new Computer(), { columns: 60, environment: { NO_COLOR: '1' } });
    terminal.type('/settings\r');
    await terminal.shows('compression.density.recencyRetention');
    terminal.type('/help\r');
    await terminal.shows('/quit');
    expect(Math.max(...terminal.lines().map((line) => line.length))).toBeLessThanOrEqual(60);
    const codes = terminal.raw.split(ESCAPE).map((part) => /^\[(?:3|9)[0-7]m/.exec(part)?.[0]);
    expect(codes.filter((code) => code !== undefined)).toEqual([]);
  });

  test('is plain lines on request, with the same questions', async () => {
    const computer = new Computer();
    server.reply = (_newest, role) =>
      role === 'user' ? { text: '', name: 'write_file', input: { file_path: 'made.txt', content: 'made' } } : 'Done.';
    const terminal = newTerminal(computer, { args: ['--plain'] });
    await terminal.shows('>');
    terminal.type('write it\r');
    await terminal.shows('Allow it? [y]es, [n]o, [a]lways:');
    await reads(terminal);
    terminal.type('y\r');
    await terminal.shows('Done.');
    expect(readFileSync(path.join(computer.folder, 'made.txt'), 'utf8')).toBe('made');
    terminal.type(CONTROL_D);
    expect(await terminal.exited).toBe(0);
  });

  test('plain lines: input before a question is the next message, and a paste is one message', async () => {
    const computer = new Computer();
    server.reply = (newest, role) => {
      if (role !== 'user') return 'Done.';
      if (newest.startsWith('write')) return { text: '', name: 'write_file', input: { file_path: 'a', content: 'x' } };
      return `Heard ${newest.split('\n').length} lines of ${newest.split('\n')[0]}.`;
    };
    const terminal = newTerminal(computer, { args: ['--plain'] });
    await terminal.shows('>');
    terminal.type('write\ryes please\r');
    await terminal.shows('Allow it? [y]es, [n]o, [a]lways:');
    await reads(terminal);
    terminal.type('maybe\r');
    await terminal.shows('Expected y, n or a, got "maybe".');
    await reads(terminal);
    terminal.type('n\r');
    await terminal.shows('Heard 1 lines of yes please.');
    expect(readdirSync(computer.folder)).toEqual([]);
    terminal.type(`${ESCAPE}[200~one\rtwo\rthree${ESCAPE}[201~`);
    terminal.type('\r');
    await terminal.shows('Heard 3 lines of one.');
  });

  test('plain lines: a command is shown whole before it is allowed', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `echo ${'x'.repeat(100)} line-${at}`);
    server.reply = (_newest, role) =>
      role === 'user' ? { text: '', name: 'run_shell_command', input: { command: lines.join('\n') } } : 'Done.';
    const terminal = newTerminal(new Computer(), { args: ['--plain'] });
    await terminal.shows('>');
    terminal.type('run it\r');
    await terminal.shows('Allow it? [y]es, [n]o, [a]lways:');
    const shown = terminal.lines().join('');
    for (const line of lines) expect(shown).toContain(line);
    terminal.type(CONTROL_D);
    await terminal.exited;
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'a running command and its children end with the chat (%s)',
    async (ending) => {
      const computer = new Computer();
      const marker = path.join(computer.home, 'started');
      // The shell waits for its child; both would live on in a group of their own.
      server.reply = () => ({
        text: '',
        name: 'run_shell_command',
        input: { command: `sleep 600 & echo $! $$ > ${marker}; wait` },
      });
      const terminal = await open(computer, { args: ['--yes'] });
      terminal.type('run it\r');
      const pids = (): string[] => (existsSync(marker) ? readFileSync(marker, 'utf8').trim().split(' ') : []);
      await expect.poll(pids).toHaveLength(2);
      terminal.kill(ending);
      await terminal.exited;
      const isRunning = (pid: string): boolean =>
        existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] !== 'Z';
      await expect.poll(() => pids().filter(isRunning)).toEqual([]);
    },
  );

  test('a closed terminal leaves no process, and its session can be resumed', async () => {
    const computer = new Computer();
    const terminal = await open(computer);
    terminal.type('Hello.\r');
    await terminal.shows(/\nYes\.\s*\n>\s*\n/);
    terminal.kill('SIGHUP');
    await terminal.exited;
    expect(existsSync(`/proc/${terminal.pid}`)).toBe(false);
    const again = await open(computer, { args: ['--resume'] });
    await again.shows('Resumed with 2 entries.');
  });
});
