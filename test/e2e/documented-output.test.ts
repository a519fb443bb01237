import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND, PATH } from './command.ts';
import { Computer } from './density.ts';
import { wordsOf } from './documented-commands.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'docs/commands.md');

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
  let commands = 0;
  const page = readFileSync(PAGE, 'utf8').replaceAll(SHOWN_COMMAND, (block, line: string, shown: string) => {
    commands++;
    const now = printed(computer, wordsOf(line));
    return withoutTimes(now) === withoutTimes(shown) ? block : `\`\`\`\n$ density ${line}\n${now}\`\`\``;
  });
  expect(commands).toBeGreaterThan(3);
  await expect(page).toMatchFileSnapshot(PAGE);
});

/** The texts of a picture. */
const textsOf = (svg: string): string[] => [...svg.matchAll(/>([^<\n]+)</g)].map(([, text = '']) => text);

test('the picture of the README shows what `npm start` prints on the example', () => {
  const draw = [path.join(ROOT, 'tools/terminal-picture.mjs'), '-', 'npm start', 'replay'];
  const { stdout } = spawnSync(process.execPath, draw, { encoding: 'utf8' });
  const shown = readFileSync(path.join(ROOT, 'docs/images/replay.svg'), 'utf8');
  expect(textsOf(shown).map(withoutTimes)).toEqual(textsOf(stdout).map(withoutTimes));
});
