import { spawn } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { COMMAND } from './command.ts';
import { Computer, jsonLines, outcomeOf, sessionText } from './density.ts';
import { TestTerminal } from './test-terminal.ts';

/** Commands with long outputs, one after the other: the first ones are old at the end. */
const WORK: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Look around.' }] },
  ...Array.from({ length: 14 }, (_, at): IContent[] => [
    {
      speaker: 'ai',
      blocks: [
        { type: 'tool_call', id: `call-${at}`, name: 'run_shell_command', parameters: { command: `make ${at}` } },
      ],
    },
    {
      speaker: 'tool',
      blocks: [
        {
          ...{ type: 'tool_response', callId: `call-${at}`, toolName: 'run_shell_command' },
          result: Array.from({ length: 200 }, (__, line) => `output ${at} line ${line}`).join('\n'),
        },
      ],
    },
  ]).flat(),
];

test('density watch follows a session through growth, a half-written line, truncation, removal and a new file', async () => {
  const computer = new Computer();
  const text = sessionText(WORK);
  const half = text.indexOf('\n', text.length / 2) + 1;
  const file = computer.write('session.jsonl', text.slice(0, half));
  const child = computer.start(['watch', file, '--json']);
  const outcome = outcomeOf(child);
  let out = '';
  child.stdout!.on('data', (chunk) => {
    out += String(chunk);
  });
  const last = () =>
    jsonLines(out.slice(0, out.lastIndexOf('\n') + 1)).at(-1) as { watched?: unknown; missing?: string };
  const shows = (shown: object): Promise<void> => expect.poll(last, { interval: 100 }).toMatchObject(shown);
  await shows({ path: file, watched: { format: 'high-density', model: 'gpt-5', calls: 8 } });
  // While there is nothing to say: what follows is JSON all the same.
  await expect.poll(() => out).toMatch(/\n $/);
  // An agent that is stopped in the middle of a line: what is whole counts.
  appendFileSync(file, text.slice(half, -30));
  await shows({ watched: { calls: 14, removable: { rows: [{ rule: 'recency' }] } } });
  const before = out.length;
  appendFileSync(file, text.slice(-30));
  await expect.poll(() => out.length).toBeGreaterThan(before);
  writeFileSync(file, '');
  await shows({ missing: expect.stringContaining('empty') });
  rmSync(file);
  await shows({ missing: expect.stringContaining('gone') });
  writeFileSync(file, text.slice(0, half));
  await shows({ watched: { calls: 8 } });
  child.kill('SIGINT');
  expect(await outcome).toMatchObject({ code: 0, err: '' });
});

test.each([['--json', '--plain'], ['--plain']])(
  'density watch %s ends when its reader has gone, although nothing changes',
  async (...options) => {
    const computer = new Computer();
    const file = computer.write('session.jsonl', sessionText(WORK));
    const pipeline = spawn('sh', ['-c', '"$@" | head -1', 'sh', process.execPath, COMMAND, 'watch', file, ...options], {
      cwd: computer.folder,
      env: { PATH: process.env['PATH'], HOME: computer.home },
    });
    const { code, out, err } = await outcomeOf(pipeline);
    expect([code, err]).toEqual([0, '']);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
  },
);

test('density watch draws over itself on a terminal, with whole sentences', async () => {
  const computer = new Computer();
  const file = computer.write('session.jsonl', sessionText(WORK));
  const terminal = new TestTerminal(['watch', file], { cwd: computer.folder, home: computer.home, rows: 24 });
  await expect.poll(() => terminal.text()).toMatch(/so far .*regrets?, pruned from the\s+start/);
  const lines = terminal.text().split('\n');
  expect(lines[0]).toMatch(/^\S+ 14 calls · .*session\.jsonl$/);
  expect(lines.every((line) => !line.endsWith('…'))).toBe(true);
  expect(lines.filter((line) => line.startsWith('window'))).toHaveLength(1);
  terminal.type('\u0003');
  expect(await terminal.exited).toBe(0);
});

test('density watch without a terminal prints a line for each change, of the newest session of this folder', async () => {
  const computer = new Computer();
  const facts = { workspaceRoot: computer.folder };
  const file = computer.write('.local/share/high-density/sessions/one.jsonl', sessionText(WORK, facts));
  const child = computer.start(['watch']);
  const outcome = outcomeOf(child);
  let seen = '';
  child.stdout!.on('data', (chunk) => {
    seen += String(chunk);
  });
  await expect.poll(() => seen).toMatch(/\n $/);
  rmSync(file);
  // What was written meanwhile to see whether anybody reads is a line of blanks.
  await expect.poll(() => seen).toMatch(/\n +\n\d\d:\d\d:\d\d {2}the file is gone.*\n/);
  child.kill('SIGTERM');
  const { code, out, err } = await outcome;
  expect([code, err]).toEqual([0, expect.stringContaining('Newest session in this folder')]);
  expect(out).toMatch(/^\d\d:\d\d:\d\d {2}[\d.]+k of 272k tokens .*would go: [\d.]+k tokens in \d+ places, .* regret/);
});
