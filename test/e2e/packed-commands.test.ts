import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertSession } from '../../src/formats/convert.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { type InstalledPackage, installedPackage } from './installed-package.ts';
import { TestTerminal } from './test-terminal.ts';

/** Where five agents keep their sessions. */
const PLACES: readonly (readonly [format: string, place: (id: string) => string])[] = [
  ['claude-code', (id) => `.claude/projects/-work-shop/${id}.jsonl`],
  ['codex', (id) => `.codex/sessions/2026/01/05/rollout-2026-01-05T08-00-00-${id}.jsonl`],
  ['gemini-cli', (id) => `.gemini/tmp/shop/chats/session-${id}.jsonl`],
  ['pi', (id) => `.pi/agent/sessions/--work-shop--/2026-01-05T08-00-00_${id}.jsonl`],
  ['copilot-cli', (id) => `.copilot/session-state/${id}/events.jsonl`],
];
const OF_EACH_AGENT = 16;

const idOf = (agent: number, index: number): string =>
  `019b8c10-5d2e-7000-8000-0000000${agent}00${String(index).padStart(2, '0')}`;

/** The first session of each agent is whole; in the others is the beginning of the day. */
function plantSessions(home: string): void {
  const whole = exampleSession();
  const short = { ...whole, events: whole.events.slice(0, 20) };
  for (const [agent, [format, place]] of PLACES.entries()) {
    for (let index = 0; index < OF_EACH_AGENT; index++) {
      const id = idOf(agent, index);
      const file = path.join(home, place(id));
      mkdirSync(path.dirname(file), { recursive: true });
      const made = { id, workspaceRoot: '/repo/shop', startedAt: Date.UTC(2026, 0, 5, 8) };
      const { pieces } = convertSession(index === 0 ? whole : short, formatNamed(format), made);
      writeFileSync(file, Buffer.concat(pieces));
      // Long ago: an agent may still write to what changed just now.
      utimesSync(file, 1_767_600_000 + agent, 1_767_600_000 + agent);
    }
  }
}

/** The clock of the command runs a thousand times as fast, so that a progress bar is due at once. */
const FAST_CLOCK = `data:text/javascript,${encodeURIComponent('const now = performance.now.bind(performance); performance.now = () => 1000 * now();')}`;

/** What only a fault of the package prints: a stack, or what cannot be loaded. */
const CRASH = /Cannot find (?:module|package) '|node_modules\/high-density\/dist\/\S+:\d|node:internal/;

/** The whole day of the first agent, by the id that this gave it. */
const CLAUDE = idOf(0, 0);

describe('the packed file, installed in an empty folder, on a terminal with 80 sessions of five agents', () => {
  let installed: InstalledPackage;
  let home: string;
  beforeAll(() => {
    installed = installedPackage();
    home = path.join(installed.folder, 'home');
    plantSessions(home);
    writeFileSync(path.join(installed.folder, 'notes.txt'), 'what was said '.repeat(200_000));
  });
  afterAll(() => rmSync(installed.folder, { recursive: true, force: true }));

  const run = async (args: readonly string[]): Promise<{ code: number; raw: string }> => {
    const terminal = new TestTerminal([installed.command, ...args], {
      cwd: installed.folder,
      home,
      program: process.execPath,
      environment: { NODE_OPTIONS: `--import "${FAST_CLOCK}"`, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    return { code: await terminal.exited, raw: terminal.raw };
  };

  test.each([
    ['replay latest', 'replaying'],
    ['replay latest --all', 'replaying'],
    ['report latest', 'replaying'],
    ['compare --policy recommended', 'comparing'],
    ['tune --dry-run', 'comparing'],
    ['bill', 'billing'],
    ['optimize latest -o smaller.jsonl', 'counting'],
    ['compress latest -o smallest.jsonl', 'counting'],
    [`optimize ${CLAUDE} --install`, 'counting'],
    [`resume ${CLAUDE}`, 'counting'],
    ['count notes.txt', 'counting'],
  ])('density %s draws its bar', async (line, label) => {
    const { code, raw } = await run(line.split(' '));
    expect(raw).not.toMatch(CRASH);
    expect(code, raw).toBe(0);
    expect(raw).toMatch(new RegExp(`${label} .*[█░]{3}`));
  });

  test.each([
    'compactions',
    'inspect latest',
    'convert latest --to codex -o other.jsonl',
    'sessions',
    'sessions --exact',
    'stats',
    'page',
    'lint latest',
    'restore smaller.jsonl -o back.jsonl',
    'show',
    'settings',
    'profile list',
    'doctor',
    'completion bash',
    'compact latest --dry-run',
    'statusline --help',
    '--help',
  ])('density %s ends without a crash', async (line) => {
    const { code, raw } = await run(line.split(' '));
    expect(raw).not.toMatch(CRASH);
    // `page` finds no proxy.
    expect(code, raw).toBe(line === 'page' ? 1 : 0);
  });
});
