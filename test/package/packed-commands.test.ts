import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { convertSession } from '../../src/formats/convert.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { joinLines } from '../../src/formats/lines/lines.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { documentedCommands, wordsOf } from '../e2e/documented-commands.ts';
import { TestTerminal } from '../e2e/test-terminal.ts';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because a process of its own runs it.
import { addMessage, addSession, newDatabase } from '../fixtures/opencode-database.mjs';
import { haveRedis, RedisServer } from '../fleet/redis-server.ts';
import { type InstalledPackage, installedPackage } from './installed-package.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Where five agents keep their sessions. */
const PLACES: readonly (readonly [format: string, place: (id: string) => string])[] = [
  ['claude-code', (id) => `.claude/projects/-work-shop/${id}.jsonl`],
  ['codex', (id) => `.codex/sessions/2026/01/05/rollout-2026-01-05T08-00-00-${id}.jsonl`],
  ['gemini-cli', (id) => `.gemini/tmp/shop/chats/session-${id}.jsonl`],
  ['pi', (id) => `.pi/agent/sessions/--work-shop--/2026-01-05T08-00-00_${id}.jsonl`],
  ['copilot-cli', (id) => `.copilot/session-state/${id}/events.jsonl`],
];
/** The sixth agent keeps them in a database. */
const DATABASE = '.local/share/opencode/opencode.db';
const OF_EACH_AGENT = 4;
/** Long ago: an agent may still write to what changed just now. */
const CHANGED_SECONDS = 1_767_600_000;

const idOf = (agent: number, index: number): string =>
  `019b8c10-5d2e-7000-8000-0000000${agent}00${String(index).padStart(2, '0')}`;

/** Sessions of work in `folder`. The first one is whole and the newest; in the others is the beginning of the day. */
function plantSessions(home: string, folder: string): void {
  const whole = exampleSession();
  const short = { ...whole, events: whole.events.slice(0, 20) };
  const converted = (format: string, id: string, isWhole: boolean): Uint8Array => {
    const made = { id, workspaceRoot: folder, startedAt: Date.UTC(2026, 0, 5, 8) };
    return joinLines(convertSession(isWhole ? whole : short, formatNamed(format), made).pieces);
  };
  const indexes = Array.from({ length: OF_EACH_AGENT }, (_, index) => index);
  for (const [agent, [format, place]] of PLACES.entries()) {
    for (const index of indexes) {
      const id = idOf(agent, index);
      const file = path.join(home, place(id));
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, converted(format, id, agent === 0 && index === 0));
      const changed = CHANGED_SECONDS - agent - index * PLACES.length;
      utimesSync(file, changed, changed);
    }
  }
  mkdirSync(path.join(home, path.dirname(DATABASE)), { recursive: true });
  const database = newDatabase(path.join(home, DATABASE));
  for (const index of indexes) {
    const { info, messages } = JSON.parse(Buffer.from(converted('opencode', `ses_${index}`, false)).toString()) as {
      info: { id: string };
      messages: readonly Parameters<typeof addMessage>[1][];
    };
    addSession(database, { id: info.id, directory: folder, updated: (CHANGED_SECONDS - 1_000) * 1_000 });
    for (const [at, message] of messages.entries()) addMessage(database, message, at);
  }
  database.close();
}

/** The clock of the command runs a thousand times as fast, so that a progress bar is due at once. */
const FAST_CLOCK = `data:text/javascript,${encodeURIComponent('const now = performance.now.bind(performance); performance.now = () => 1000 * now();')}`;

/** What only a fault of the package prints: a stack, or what cannot be loaded. */
const CRASH = /Cannot find (?:module|package) '|node_modules\/high-density\/dist\/\S+:\d|node:internal/;

/** The whole day of the first agent, by the id that this gave it. */
const CLAUDE = idOf(0, 0);
const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';

/** Commands that draw this bar. */
const BARS: readonly (readonly [line: string, label: string])[] = [
  ['replay latest', 'replaying'],
  ['replay latest -o page.html', 'replaying'],
  ['compare --policy recommended', 'comparing'],
  ['compare --save mine', 'comparing'],
  ['bill', 'billing'],
  ['optimize latest -o smaller.jsonl', 'counting'],
  ['optimize latest --strategy high-density -o smallest.jsonl', 'counting'],
  [`optimize ${CLAUDE} --install`, 'counting'],
  [`optimize ${CLAUDE} --start`, 'counting'],
  ['dev count notes.txt', 'counting'],
];

/** Commands that no page shows as a line of its own. */
const OTHERS: readonly string[] = [
  'wrap --shadow codex exec "fix the failing test"',
  'wrap --env OPENAI_API_BASE aider',
  'replay day.jsonl tuesday.jsonl',
  'replay day.jsonl --all --context-limit 60k',
  'restore smaller.jsonl -o back.jsonl',
  'dev shape found.txt --tool Grep --check',
  'team token add alice --per-minute 300 --at-once 50 --redis redis://127.0.0.1:6379',
  'team token list --redis redis://127.0.0.1:6379',
  'team token revoke alice --redis redis://127.0.0.1:6379',
  'bill --compactions',
  'sessions --exact',
  'sessions --copies',
  'stats --page',
  'off',
  'on',
  'inspect --lint latest',
  'show',
  'restore --archive',
  'settings',
  'profile list',
  'doctor',
  'completion bash',
  'optimize latest --model claude-haiku-4-5 --dry-run',
  'statusline',
  'mcp',
  'proxy --port 0',
  'dev provider',
  '--help',
];

/** What a person does at such a line: types a text, or waits until the terminal shows one. */
const KEYS: readonly (readonly [line: RegExp, ...keys: (string | RegExp)[]])[] = [
  [/^wrap (?:claude|--env)/, /density: 3 calls ·/],
  [/^doctor/, new RegExp(`opencode +${OF_EACH_AGENT} sessions`)],
  [/^(?:proxy|dev provider|team worker)\b/, /Stop with Ctrl-C/, CONTROL_C],
  [/^(?:mcp|statusline)$/, CONTROL_D],
];

/** What the documents print and this does not run. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'compare /sessions --redis redis://127.0.0.1:6379': 'waits for workers on other computers: test/e2e/fleet.test.ts',
  'replay --strategy middle-out --provider anthropic --summaries day.summaries.jsonl day.jsonl':
    'asks the model of a real provider: test/e2e/replay-summaries.test.ts',
  'replay --strategy middle-out --summaries day.summaries.jsonl day.jsonl': 'reads what that line writes',
};

/** End with another code than 0: no proxy runs whose page could be opened. */
const FAILS: ReadonlySet<string> = new Set(['stats --page', 'stats --open']);

const PAGES = ['README.md', 'docs/commands.md'].map((page) => ({ page, commands: documentedCommands(page) }));
const runsOf = (commands: (typeof PAGES)[number]['commands']) =>
  commands.filter(({ line }) => NOT_RUN[line] === undefined);

test('every command of the program, and every line that the documents print, is run here or says why not', () => {
  const lines = PAGES.flatMap(({ commands }) => commands.map(({ line }) => line));
  expect(lines.length).toBeGreaterThan(15);
  expect(Object.keys(NOT_RUN).filter((line) => !lines.includes(line))).toEqual([]);
  const run = [
    ...BARS.map(([line]) => line),
    ...OTHERS,
    ...PAGES.flatMap(({ commands }) => runsOf(commands).map(({ line }) => line)),
  ];
  const names = new Set(run.map((line) => line.split(' ')[0]));
  expect(COMMANDS.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
});

describe('the packed file, installed in an empty folder, on a terminal with sessions of six agents', () => {
  let installed: InstalledPackage;
  let home: string;
  let folder: string;
  let url: string;
  const redis = new RedisServer();
  const provider = providerServer(new StrictProvider(), { now: Date.now });

  /** Agents of a script, in the place of real ones. */
  function plantAgents(bin: string): void {
    mkdirSync(bin);
    cpSync(path.join(ROOT, 'test/fixtures/loop-agent.mjs'), path.join(bin, 'loop.mjs'));
    const loop = (variable: string): string => `LOOP_BASE_URL="$${variable}" exec node "${path.join(bin, 'loop.mjs')}"`;
    const inSettings = `node -p 'JSON.parse(fs.readFileSync(process.argv[1])).env.ANTHROPIC_BASE_URL' "$2"`;
    const agents = {
      claude: `[ "$1" = --settings ] && ANTHROPIC_BASE_URL=$(${inSettings})\n${loop('ANTHROPIC_BASE_URL')}`,
      aider: loop('OPENAI_API_BASE'),
      codex: 'exit 0',
    };
    for (const [name, script] of Object.entries(agents)) {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(path.join(bin, name), 0o755);
    }
  }

  beforeAll(async () => {
    installed = installedPackage();
    home = path.join(installed.folder, 'home');
    folder = path.join(installed.folder, 'work');
    plantSessions(home, folder);
    plantAgents(path.join(installed.folder, 'bin'));
    // What a user of Redis installs beside it.
    for (const name of ['bullmq', 'ioredis'])
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(installed.modules, name));
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    if (haveRedis) await redis.start();
  });
  afterAll(async () => {
    provider.close();
    provider.closeAllConnections();
    await redis.remove();
    rmSync(installed.folder, { recursive: true, force: true });
  });

  /** The folder in which a user works, with the files that the documents name. */
  const plantWork = (): void => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.join(folder, 'sessions'), { recursive: true });
    for (const name of ['day', 'tuesday'])
      cpSync(path.join(ROOT, 'src/sessions/example-session.jsonl'), path.join(folder, `${name}.jsonl`));
    cpSync(path.join(ROOT, 'test/fixtures/found.txt'), path.join(folder, 'found.txt'));
    writeFileSync(path.join(folder, 'notes.txt'), 'what was said '.repeat(200_000));
  };

  /** The line with a session, folder and server of this test in the place of those of the documents. */
  const here = (line: string): string[] => [
    ...wordsOf(line).map((word) =>
      word
        .replace(/^3fa9c1$|^<session>$/, CLAUDE)
        .replace(/^<folder>$/, path.join(home, '.claude'))
        .replace(/^redis:.*/, redis.url)
        .replace(/^http:\/\/localhost:11434/, url),
    ),
  ];

  const run = async (line: string, environment: Readonly<Record<string, string>> = {}) => {
    const terminal = new TestTerminal([installed.command, ...here(line)], {
      cwd: folder,
      home,
      program: process.execPath,
      environment: {
        PATH: [path.join(installed.folder, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(
          path.delimiter,
        ),
        ANTHROPIC_BASE_URL: url,
        OPENAI_API_BASE: url,
        OPENAI_API_KEY: 'none',
        NODE_DISABLE_COMPILE_CACHE: '1',
        ...environment,
      },
    });
    const [, ...keys] = KEYS.find(([pattern]) => pattern.test(line)) ?? [];
    for (const key of keys) {
      if (typeof key === 'string') terminal.type(key);
      else await terminal.shows(key);
    }
    return { code: await terminal.exited, raw: terminal.raw };
  };

  describe('with what no page shows', () => {
    beforeAll(plantWork);

    test.each(BARS)('density %s draws its bar', async (line, label) => {
      const { code, raw } = await run(line, { NODE_OPTIONS: `--import "${FAST_CLOCK}"` });
      expect(raw).not.toMatch(CRASH);
      expect(code, raw).toBe(0);
      expect(raw).toMatch(new RegExp(`${label} .*[█░]{3}`));
    });

    for (const line of OTHERS) {
      test.skipIf(line.includes('redis:') && !haveRedis)(`density ${line} ends without a crash`, async () => {
        const { code, raw } = await run(line);
        expect(raw).not.toMatch(CRASH);
        expect(code, raw).toBe(FAILS.has(line) ? 1 : 0);
      });
    }
  });

  describe.each(PAGES)('with the lines of $page', ({ commands }) => {
    beforeAll(plantWork);

    for (const { line, fails } of runsOf(commands)) {
      test.skipIf(line.includes('redis:') && !haveRedis)(`density ${line}${fails ? ', which fails' : ''}`, async () => {
        const { code, raw } = await run(line);
        expect(raw).not.toMatch(CRASH);
        if (fails || FAILS.has(line)) expect([1, 2], raw).toContain(code);
        else expect(code, raw).toBe(0);
      });
    }
  });
});
