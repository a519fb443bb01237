import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../src/formats/index.ts';
import { Computer, EDITED, jsonLines, ONLY_NEXT, sessionText } from './density.ts';

const computer = new Computer();
const session = computer.write('work/session.jsonl', sessionText(EDITED));

describe('density convert', () => {
  test('writes the session of another agent and says what it cannot contain', async () => {
    const output = path.join(computer.folder, 'rollout.jsonl');
    const { code, out, err } = await computer.run(['convert', session, '--to', 'codex', '-o', output]);
    expect([code, err]).toEqual([0, ONLY_NEXT]);
    expect(out).toMatch(/^high-density → Codex CLI rollout, 8 entries\n/);
    expect(out).toMatch(/^ids of entries +8 +#1$/m);
    expect(out).toContain(`written to ${output}\n`);
    expect(detectFormat(readFileSync(output, 'utf8')).name).toBe('codex');
  });

  test('keeps every word there and back, and lists the losses as JSON', async () => {
    const there = path.join(computer.folder, 'there.json');
    const back = path.join(computer.folder, 'back.jsonl');
    await computer.run(['convert', session, '--to', 'openai-chat', '-o', there]);
    const { out } = await computer.run(['convert', there, '--to', 'high-density', '-o', back, '--json']);
    expect(jsonLines(out)).toEqual([
      { file: there, output: back, format: 'openai-chat', to: 'high-density', entries: 8, losses: [], skippedLines: 0 },
    ]);
    const blocks = (text: string) => jsonLines(text).flatMap((line) => ('blocks' in line ? [line['blocks']] : []));
    expect(blocks(readFileSync(back, 'utf8'))).toEqual(EDITED.map((entry) => entry.blocks));
  });

  test('writes only the session to standard output', async () => {
    const { out, err } = await computer.run(['convert', session, '--to', 'claude-code', '-o', '-']);
    expect(detectFormat(out).name).toBe('claude-code');
    expect(err).toContain('→ Claude Code');
  });

  test('replaces no file, writes no unwritable format, and guesses no format', async () => {
    const other = computer.write('work/there-already.jsonl', 'mine');
    const exists = await computer.run(['convert', session, '--to', 'codex', '-o', other]);
    expect([exists.code, readFileSync(other, 'utf8')]).toEqual([1, 'mine']);
    expect(exists.err).toContain('--force');
    const readOnly = await computer.run(['convert', session, '--to', 'swe-agent', '-o', 'new']);
    expect([readOnly.code, existsSync(path.join(computer.folder, 'new'))]).toEqual([1, false]);
    expect(readOnly.err).toMatch(/Expected .*codex.*got swe-agent, which is read-only/);
    expect((await computer.run(['convert', session, '-o', 'new'])).code).toBe(2);
    expect((await computer.run(['convert', session, '--to', 'codx', '-o', 'new'])).err).toContain(
      'Did you mean "codex"',
    );
  });
});
