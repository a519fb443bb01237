import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { Computer, sessionText } from './density.ts';

const WATCHED = pathToFileURL(path.resolve(import.meta.dirname, '../fixtures/watched-terminal.mjs')).href;
const RESULTS = 6;

describe('while threads work', () => {
  const computer = new Computer();
  // Random digits are slow to count, so that the work takes longer than the delay of the bar.
  const result = (): string => randomBytes(2_000_000).toString('hex');
  const ids = Array.from({ length: RESULTS }, (_, index) => `call-${index}`);
  // One request counts all results: only the thread itself knows its progress.
  const entries: IContent[] = [
    {
      speaker: 'ai',
      blocks: ids.map((id) => ({ type: 'tool_call', id, name: 'read_file', parameters: { file_path: id } })),
    },
    ...ids.map(
      (callId): IContent => ({
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId, toolName: 'read_file', result: result() }],
      }),
    ),
    { speaker: 'ai', blocks: [{ type: 'text', text: 'Read.' }] },
  ];
  const named = entries.map((entry, index) => ({ ...entry, metadata: { id: `entry-${index}` } }));
  const session = computer.write('work/burst.jsonl', sessionText(named));
  const record = path.join(computer.home, 'record');
  const environment = { NODE_OPTIONS: `--import ${WATCHED}`, WATCH_RECORD: record, NO_COLOR: '1' };
  const out = (name: string): string => path.join(computer.folder, name);

  /** The shares that a bar with this label showed, in order, without repeats. */
  function sharesOf(label: string, drawn: string): number[] {
    const shares = [...drawn.matchAll(new RegExp(`${label} [█░]+ +<?(\\d+)%`, 'g'))].map(([, share]) => Number(share));
    return [...new Set(shares)];
  }
  test.each([
    { name: 'optimize', args: ['optimize', session, '-o', out('smaller.jsonl')], label: 'counting', fromPercent: 0 },
    {
      name: 'replay',
      args: ['replay', session],
      label: 'replaying',
      fromPercent: (100 * (RESULTS + 1)) / (RESULTS + 2),
    },
  ])('$name shows the progress of a thread, and draws 30 times a second', async ({ args, label, fromPercent }) => {
    const { code, err } = await computer.run(args, environment);
    expect(code).toBe(0);
    // Progress arrives over comlink. A fast machine shows fewer of its steps.
    const reported = sharesOf(label, err).filter((share) => share > fromPercent && share < 100);
    expect(reported.length).toBeGreaterThan(1);
    const { drawings, ticks } = JSON.parse(readFileSync(record, 'utf8')) as { drawings: number; ticks: number };
    expect(ticks).toBeGreaterThan(1);
    // Drawn 40 times a second; a busy machine reads a little less.
    expect(drawings).toBeGreaterThanOrEqual(0.9 * ticks);
  });

  test.each([
    ['optimize', 'counting'],
    ['optimize --strategy high-density', 'counting'],
    ['convert', 'converting'],
    ['inspect', 'reading'],
    ['dev count', 'counting'],
    ['replay', 'replaying'],
  ])('Ctrl-C ends density %s while it is %s, and leaves no file', async (command, label) => {
    const before = readdirSync(computer.folder);
    const writes = /^(?:optimize|convert)/.test(command) ? ['-o', out('never.jsonl')] : [];
    const to = command === 'convert' ? ['--to', 'codex'] : [];
    const ended = computer.run([...command.split(' '), session, ...writes, ...to], {
      ...environment,
      WATCH_INTERRUPT: label,
    });
    expect(await ended).toMatchObject({ signal: 'SIGINT', out: '' });
    expect(readdirSync(computer.folder)).toEqual(before);
  });
});
