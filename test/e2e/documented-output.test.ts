import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { COMMAND, PATH } from './command.ts';
import { Computer } from './density.ts';
import { wordsOf } from './documented-commands.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'docs/commands.md');
const DAY_MS = 24 * 60 * 60_000;

/** A fenced block that shows a command and what it prints. */
const SHOWN_COMMAND = /^```\n\$ density (.+)\n([\s\S]*?)```$/gm;

/** Removes times, the size of a page that contains times, and blanks before them: they differ between runs. */
const withoutTimes = (text: string): string => text.replace(/ +[\d.]+ m?s\b/g, ' …').replace(/\(\d+ kB\)/g, '(…)');

/** Both output streams of the command, in the order of a terminal. */
function printed(computer: Computer, args: readonly string[]): string {
  const file = path.join(computer.home, 'printed.txt');
  const output = openSync(file, 'w');
  const env = { PATH: PATH(), HOME: computer.home, NO_COLOR: '1' };
  spawnSync(process.execPath, [COMMAND, ...args], { cwd: computer.folder, env, stdio: ['ignore', output, output] });
  closeSync(output);
  const text = readFileSync(file, 'utf8')
    .replaceAll(computer.folder, '/home/dev')
    .replaceAll('~/work/', '/home/dev/')
    .trimEnd();
  return `${text.replace(/ +$/gm, '')}\n`;
}

test('docs/commands.md shows what the commands print (`npx vitest run -u` with this file updates it)', async () => {
  const computer = new Computer();
  const day = readFileSync(path.join(ROOT, 'src/sessions/example-session.jsonl'), 'utf8');
  computer.write('work/day.jsonl', day);
  // At the same times it would be a copy.
  const tuesday = day.replaceAll(/"timestamp":(\d+)/g, (_, time: string) => `"timestamp":${Number(time) + DAY_MS}`);
  computer.write('work/tuesday.jsonl', tuesday);
  computer.write('work/found.txt', readFileSync(path.join(ROOT, 'test/fixtures/found.txt')));
  mkdirSync(path.join(computer.folder, 'sessions'));
  let commands = 0;
  const page = readFileSync(PAGE, 'utf8').replaceAll(SHOWN_COMMAND, (block, line: string, shown: string) => {
    commands++;
    const now = printed(computer, wordsOf(line));
    return withoutTimes(now) === withoutTimes(shown) ? block : `\`\`\`\n$ density ${line}\n${now}\`\`\``;
  });
  expect(commands).toBeGreaterThan(10);
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('docs/commands.md lists every command, in the order of help', () => {
  const [table = ''] = /^\| command \|.*(?:\n\|.*)*/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
  // A command of a group has a row of its own.
  const listed = [...table.matchAll(/^\| \[`([a-z]+)[ `]/gm)].map(([, name]) => name);
  expect([...new Set(listed)]).toEqual(COMMANDS.map(({ name }) => name));
});

/** The texts of a picture. */
const textsOf = (svg: string): string[] => [...svg.matchAll(/>([^<\n]+)</g)].map(([, text = '']) => text);

test('the picture of the README shows what `npm start` prints on the example', () => {
  const draw = [path.join(ROOT, 'tools/terminal-picture.mjs'), '-', 'npm start', 'replay'];
  const { stdout } = spawnSync(process.execPath, draw, { encoding: 'utf8' });
  const shown = readFileSync(path.join(ROOT, 'docs/images/replay.svg'), 'utf8');
  expect(textsOf(shown).map(withoutTimes)).toEqual(textsOf(stdout).map(withoutTimes));
});
