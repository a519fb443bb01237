import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { Computer, jsonLines, sessionText } from './density.ts';

/** Joined here, so that secret scanners ignore this file. */
const LETTERS = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5';
const KEY = ['sk-', 'ant-api03-', LETTERS].join('');
const PASSWORD = 'hunter2hunter2';
const NOTE = `Use ${KEY} and postgres://app:${PASSWORD}@db.example.org/main.`;

/** Each entry contains both secrets, so every shown text contains one. */
const SESSION: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: NOTE }] },
  {
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id: 'call-1', name: 'run_shell_command', parameters: { command: `echo '${NOTE}'` } }],
  },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'call-1', toolName: 'run_shell_command', result: NOTE }],
  },
  {
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id: 'call-2', name: 'read_file', parameters: { absolute_path: `/tmp/${KEY}` } }],
  },
  { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'call-2', toolName: 'read_file', result: NOTE }] },
  { speaker: 'ai', blocks: [{ type: 'text', text: `Done. ${NOTE}` }] },
];

describe('secrets in output', () => {
  const computer = new Computer();
  const session = computer.write('secrets.jsonl', `${sessionText(SESSION)}{"password": "${PASSWORD}\n`);
  // A table cuts a long label inside its key.
  const shows = (text: string): boolean => text.includes(KEY.slice(0, 12)) || text.includes(PASSWORD);

  test.each([
    ['inspect', ['inspect', session]],
    ['optimize --model --dry-run', ['optimize', session, '--model', 'claude-haiku-4-5', '--dry-run']],
  ])('%s hides them and says how many, and shows them with --no-redact', async (_what, args) => {
    const { code, out, err } = await computer.run(args);
    expect(code).toBe(0);
    expect(shows(out)).toBe(false);
    expect(out).toContain('[hidden API key]');
    expect(out + err).toMatch(/\n\d+ keys, tokens and passwords of known shapes hidden \(--no-redact shows them\)\n/);
    const whole = await computer.run([...args, '--no-redact']);
    expect(shows(whole.out)).toBe(true);
    expect(whole.out + whole.err).not.toContain('hidden');
    const [facts] = jsonLines((await computer.run([...args, '--json'])).out);
    expect(shows(JSON.stringify(facts))).toBe(false);
    expect(facts!['secretsHidden']).toBeGreaterThan(1);
    const [wholeFacts] = jsonLines((await computer.run([...args, '--json', '--no-redact'])).out);
    expect(shows(JSON.stringify(wholeFacts))).toBe(true);
    expect(wholeFacts!['secretsHidden']).toBeNull();
  });

  test('replay hides them in quoted dropped messages, the only text of a session that it shows', async () => {
    const words = `${NOTE} ${'And this and that. '.repeat(120)}`;
    const answer: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: words }] };
    const question: IContent = { speaker: 'human', blocks: [{ type: 'text', text: words }] };
    const long = computer.write('long.jsonl', sessionText([question, answer, question, answer, question, answer]));
    const args = ['replay', long, '--turns', '--context-limit', '1500', '--strategy', 'high-density'];
    const { code, out, err } = await computer.run(args);
    expect([code, shows(out)]).toEqual([0, false]);
    expect(out).toContain('“Use [hidden API key]');
    expect(err).toMatch(/^\d+ keys?, .* hidden \(--no-redact shows them\)\n/);
    expect(shows((await computer.run([...args, '--no-redact'])).out)).toBe(true);
    const facts = jsonLines((await computer.run([...args, '--json'])).out).at(-1)!;
    expect(shows(JSON.stringify(facts))).toBe(false);
    expect(facts['secretsHidden']).toBeGreaterThan(0);
    expect((await computer.run(['replay', long, '--all', '--context-limit', '1500'])).out).not.toContain(KEY);
  });

  test('commands that show no text of a session need no redaction: count, compare, lint', async () => {
    for (const args of [
      ['dev', 'count', session],
      ['dev', 'count', session, '--json'],
      ['compare', session],
      ['compare', session, '--json'],
      ['inspect', '--lint', session],
      ['inspect', '--lint', session, '--json'],
    ]) {
      const { out, err } = await computer.run(args);
      expect(out).not.toBe('');
      expect([args, shows(out + err)]).toEqual([args, false]);
    }
  });

  test('a session that is written to be continued contains them as recorded', async () => {
    for (const args of [
      ['optimize'],
      ['optimize', '--strategy', 'high-density'],
      ['convert', '--to', 'openai-chat'],
      ['convert', '--to', 'high-density'],
    ]) {
      const [command, ...options] = args as [string, ...string[]];
      const output = path.join(computer.folder, `${args.join('-')}.jsonl`);
      expect((await computer.run([command, session, ...options, '-o', output])).code).toBe(0);
      const written = readFileSync(output, 'utf8');
      expect([args, written.includes(KEY), written.includes(PASSWORD)]).toEqual([args, true, true]);
      expect(written).not.toContain('[hidden');
    }
  });
});
