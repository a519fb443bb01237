import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Computer, type Outcome, outcomeOf } from './density.ts';

function ask(computer: Computer, given: unknown, environment: Record<string, string> = {}): Promise<Outcome> {
  const child = computer.start(['statusline'], environment);
  child.stdin!.end(typeof given === 'string' ? given : JSON.stringify(given));
  return outcomeOf(child);
}

/** Reads of files with long texts, as Claude Code writes them, the last one now. */
function transcript(calls: number): string {
  const lines = Array.from({ length: calls }, (_, at) => {
    const facts = {
      cwd: '/project',
      sessionId: 's',
      version: '2.1.330',
      timestamp: new Date(Date.now() - 60_000).toISOString(),
    };
    const usage = { input_tokens: 10, cache_read_input_tokens: 10_000 + 1_000 * at, cache_creation_input_tokens: 990 };
    const call = { type: 'tool_use', id: `toolu_${at}`, name: 'Bash', input: { command: `make part-${at}` } };
    const result = { type: 'tool_result', tool_use_id: `toolu_${at}`, content: `line of ${at}\n`.repeat(300) };
    return [
      {
        ...facts,
        type: 'assistant',
        uuid: `a${at}`,
        parentUuid: at === 0 ? null : `u${at - 1}`,
        message: {
          id: `m${at}`,
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [call],
          usage: { ...usage, output_tokens: 5 },
        },
      },
      { ...facts, type: 'user', uuid: `u${at}`, parentUuid: `a${at}`, message: { role: 'user', content: [result] } },
    ];
  });
  return lines
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

test('density statusline says how full the window is, how long the cache lasts, and soon what is removable', async () => {
  const computer = new Computer();
  const file = computer.write('transcript.jsonl', transcript(12));
  // The agent writes while the line is made.
  appendFileSync(file, '{"type":"assistant","message":{"usage":');
  const given = {
    session_id: 's',
    transcript_path: file,
    model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5' },
    context_window: { total_input_tokens: 22_000, context_window_size: 200_000, used_percentage: 11 },
  };
  const first = await ask(computer, given);
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toMatch(/^density · 11% of 200k · cache until \d\d:\d\d \(\$0\.0\d+\)\n$/);
  await expect
    .poll(async () => (await ask(computer, given)).out, { interval: 500 })
    .toMatch(/ · [\d.]+k removable now\n$/);
  const folder = path.join(computer.home, '.local/share/high-density/live/statusline');
  for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  const narrow = await ask(computer, given, { COLUMNS: '30' });
  expect(narrow.out).toMatch(/^density · 11% of 200k · c…\n$/);
});

test('density statusline in a wrapped agent says what was saved, and reads no session for it', async () => {
  const computer = new Computer();
  const run = computer.write(
    'run.json',
    JSON.stringify({ isShadow: false, savedTokens: 30_000, promptTokens: 70_000, netDollars: 0.12, regrets: 1 }),
  );
  const file = computer.write('transcript.jsonl', transcript(2));
  const { out } = await ask(computer, { transcript_path: file }, { DENSITY_RUN: run });
  expect(out).toMatch(/^density · cache until .* · left out 30%, saved \$0\.120 · 1 needed again\n$/);
  expect(existsSync(path.join(computer.home, '.local/share/high-density/live/statusline'))).toBe(false);
});

test.each([
  ['no JSON', 'nothing', '\n'],
  ['no input', '', '\n'],
  ['another value', '[1]', 'density\n'],
  [
    'nulls, as before the first call',
    '{"transcript_path":null,"model":null,"context_window":{"used_percentage":null}}',
    'density\n',
  ],
  ['a transcript that is missing', '{"transcript_path":"/no/such/file"}', 'density\n'],
  ['a transcript that is a folder', '{"transcript_path":"/"}', 'density\n'],
  ['a window of an escape', '{"context_window":{"context_window_size":"\\u001b[31m"}}', 'density\n'],
])('density statusline with %s prints a short line and no error', async (_, given, line) => {
  expect(await ask(new Computer(), given)).toEqual({ code: 0, signal: null, out: line, err: '' });
});
