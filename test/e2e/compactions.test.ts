import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Computer, jsonLines } from './density.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString();
const line = (minute: number, type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: at(minute), type, payload })}\n`;
const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
});
const counted = (total: number, input: number, cached: number) => ({
  type: 'token_count',
  info: {
    total_token_usage: { total_tokens: total },
    last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: 10, total_tokens: input + 10 },
  },
});
const QUOTED = 'const answer = theOnlyLineThatMatters(42);';

/** A rollout of Codex that is compacted once. */
const rollout = [
  line(0, 'session_meta', { id: 's', cwd: '/repo' }),
  line(0, 'turn_context', { model: 'gpt-5.4', cwd: '/repo' }),
  line(1, 'response_item', message('user', `Remember this:\n${QUOTED}`)),
  line(2, 'response_item', message('assistant', 'I will.')),
  line(2, 'event_msg', counted(90_010, 90_000, 80_000)),
  line(3, 'compacted', { message: '', replacement_history: [message('user', 'Go on.')] }),
  line(4, 'response_item', message('assistant', `The line was:\n${QUOTED}`)),
  line(4, 'event_msg', counted(110_020, 20_000, 8000)),
].join('');

describe('density bill --compactions', () => {
  const computer = new Computer();
  const session = computer.write('sessions/compacted.jsonl', rollout);

  test('shows what each one cut, cost and lost, and claims nothing about few', async () => {
    const { code, out } = await computer.run(['bill', '--compactions', session]);
    expect(code).toBe(0);
    expect(out).toContain('1 compaction or clearing by agents in 1 of 1 session.');
    // 12,000 × 2.50, per million
    expect(out).toMatch(/compacted\.jsonl +codex +90,000 → 20,000 +12,000 +\$0\.030 +1 +1 quotation/);
    expect(out).toMatch(/codex +1 +too few +too few/);
  });

  test('leaves what was needed later on a narrow screen', async () => {
    const { out } = await computer.run(['bill', '--compactions', session], { COLUMNS: '40' });
    expect(out).toMatch(/^session +agent +price +needed later$/m);
    expect(out).toMatch(/codex +\$0\.030 +1 quotation$/m);
    for (const row of out.split('\n')) if (!row.startsWith('/')) expect(row.length).toBeLessThanOrEqual(40);
  });

  test('names a listed session by its id and first message', async () => {
    const own = new Computer();
    own.write('.codex/sessions/rollout-1.jsonl', rollout);
    const [listed] = jsonLines((await own.run(['sessions', '--json'])).out);
    const { out } = await own.run(['bill', '--compactions', String(listed?.['id'])], { COLUMNS: '120' });
    expect(out).toMatch(new RegExp(`${listed?.['id']} +codex .* 1 quotation +Remember this: const answer`));
  });

  test('prints one line of JSON for each, and names copies in forks', async () => {
    computer.write('sessions/fork.jsonl', rollout);
    const { out } = await computer.run(['bill', '--compactions', '--json', path.join(computer.home, 'sessions')]);
    expect(jsonLines(out)).toMatchObject([
      { agent: 'codex', kind: 'compaction', isCopy: false, losses: { regrets: [{ kind: 'quotation' }] } },
      { agent: 'codex', isCopy: true },
    ]);
    const { out: table } = await computer.run(['bill', '--compactions', path.join(computer.home, 'sessions')]);
    expect(table).toContain('1 compaction or clearing by agents in 1 of 2 sessions.');
    expect(table).toContain('1 copy in forked sessions is left out.');
  });

  test('fails for what is no session, as other commands do', async () => {
    const text = computer.write('notes/notes.md', 'Buy milk.');
    expect(await computer.run(['bill', '--compactions', text])).toMatchObject({ code: 1, out: '' });
    const missing = await computer.run(['bill', '--compactions', path.join(computer.home, 'missing.jsonl')]);
    expect(missing.err).toContain('Expected a file that can be read at');
  });
});
