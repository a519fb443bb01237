import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Computer, jsonLines } from './density.ts';

const names = (at: number) => ({ uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}` });

/** An answer of Claude Code with this usage, one minute after the other. */
const answer = (minute: number, usage: object, model = 'claude-opus-4-5') => ({
  type: 'assistant',
  ...names(minute),
  sessionId: 's',
  version: '2.1.0',
  cwd: '/repo',
  timestamp: new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString(),
  requestId: `r${minute}`,
  message: {
    id: `m${minute}`,
    model,
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
    usage,
  },
});

describe('density bill', () => {
  const computer = new Computer();
  const session = computer.write(
    'billed.jsonl',
    [
      answer(0, {
        input_tokens: 10,
        cache_creation_input_tokens: 20_000,
        cache_read_input_tokens: 0,
        output_tokens: 100,
      }),
      answer(1, {
        input_tokens: 10,
        cache_creation_input_tokens: 1000,
        cache_read_input_tokens: 20_000,
        output_tokens: 100,
      }),
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );

  test('has what is billed beside tokens at standard prices, each part as a row of its own', async () => {
    const own = new Computer();
    const usage = { input_tokens: 1_000_000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const fast = { ...usage, output_tokens: 100_000, speed: 'fast' };
    const compacted = {
      ...usage,
      output_tokens: 200,
      server_tool_use: { web_search_requests: 50, code_execution_requests: 12 },
      iterations: [
        { type: 'compaction', input_tokens: 150_000, output_tokens: 4_000 },
        { type: 'message', input_tokens: 1_000_000, output_tokens: 200 },
      ],
    };
    const lines = [answer(0, fast, 'claude-opus-4-6'), answer(1, compacted, 'claude-opus-4-6')];
    const file = own.write('parts.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const rows = jsonLines((await own.run(['bill', file, '--by', 'part', '--json'])).out);
    expect(rows).toMatchObject([
      { part: 'input', count: 2_000_000, dollars: 10 },
      { part: 'output', count: 100_200 },
      { part: 'service', count: 1, dollars: 37.5 },
      { part: 'innerCalls', count: 1 },
      { part: 'serverTools', count: 62, dollars: 0.5 },
      { part: 'serverTools', name: 'code_execution', count: 12, dollars: null },
    ]);
    const total = 45 + 5.005 + 0.85 + 0.5;
    expect(rows.reduce((sum, { dollars }) => sum + Number(dollars), 0)).toBeCloseTo(total, 9);
    const [all] = jsonLines((await own.run(['bill', file, '--json'])).out);
    expect(all?.['dollars']).toBeCloseTo(total, 9);
    const { out } = await own.run(['bill', file]);
    expect(out).toMatch(/fast mode and other services +1 +1 call +73% +\$37\.50/);
    expect(out).toMatch(/tools of the provider +1 +62 uses +1% +\$0\.50/);
    expect(out).toContain('No price is known of 12 uses of code_execution.');
    expect((await own.run(['bill', file, '--by', 'part'])).out).toMatch(
      /inner calls \(compaction.* 1 call +2% +\$0\.85/,
    );
  });

  test('has the calls of sub-agents that are in the file of a session, each once', async () => {
    const own = new Computer();
    const usage = {
      input_tokens: 100_000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    };
    const side = { ...answer(1, { ...usage, input_tokens: 40_000 }), isSidechain: true, parentUuid: null };
    const lines = [answer(0, usage), side, { ...side, uuid: 'again' }];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const file = own.write('side.jsonl', text);
    const [all] = jsonLines((await own.run(['bill', file, '--json'])).out);
    expect(all).toMatchObject({ calls: 2, promptTokens: 140_000 });
    expect(all?.['dollars']).toBeCloseTo(0.7, 9);
    // A session that continues it has copies of these lines.
    const other = answer(3, { ...usage, input_tokens: 1_000 });
    const copy = own.write('copy.jsonl', [other, side].map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(jsonLines((await own.run(['bill', file, copy, '--json'])).out)).toMatchObject([{ calls: 3 }]);
  });

  test('does not believe usage that our count contradicts by far', async () => {
    const own = new Computer();
    const asked = (minute: number) => ({
      ...answer(minute, {}),
      type: 'user',
      uuid: 'asked',
      parentUuid: null,
      message: { role: 'user', content: 'one two three four '.repeat(10_000) },
    });
    const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 };
    const lines = [
      asked(0),
      { ...answer(1, usage), parentUuid: 'asked' },
      answer(2, { ...usage, input_tokens: 55_000 }),
    ];
    const file = own.write('contradicted.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const said =
      /1 call reports usage that cannot be, and it is not used: call 1(?: of contradicted\.jsonl)? reports 100 tokens where its text has 5\d,\d{3}\./;
    const out = async (...words: string[]) => (await own.run(words)).out.replaceAll('\n', ' ');
    expect(await out('bill', file)).toMatch(said);
    expect(await out('bill', file)).toContain('for 1 call of 1 session');
    expect(await out('replay', file)).toMatch(said);
    expect(await out('compare', file)).toMatch(said);
    expect(await out('bill', '--compactions', file)).toMatch(said);
    const told = { call: 1, reportedTokens: 100, countedTokens: expect.any(Number) as unknown };
    const [billed] = jsonLines((await own.run(['bill', file, '--json'])).out);
    expect(billed).toMatchObject({ calls: 1, promptTokens: 55_000, contradicted: [{ ...told, session: file }] });
    const [replayed] = jsonLines((await own.run(['replay', file, '--json'])).out);
    expect(replayed).toMatchObject({ contradicted: [told] });
    const [compared] = jsonLines((await own.run(['compare', file, '--json'])).out);
    expect(compared).toMatchObject({ contradicted: [told] });
  });

  test('adds up the recorded usage at list prices, and explains misses', async () => {
    const { code, out: lines, err } = await computer.run(['bill', session]);
    const out = lines.replaceAll('\n', ' ');
    expect(code).toBe(0);
    // V8 complains there about options that it does not know.
    expect(err).toBe('');
    // (20,000 + 1,000) × 6.25 + 20,000 × 0.50 + 20 × 5 + 200 × 25, per million
    expect(out).toContain('$0.15 for 2 calls of 1 session, at list prices of their day.');
    expect(out).toMatch(/claude-opus-4-5 +2 +41,020 +49% +200 +\$0\.00 +\$0\.15/);
    expect(out).toMatch(/new text of first calls +1 +20\.0k +85% +\$0\.13/);
    expect(out).toContain('first calls): 98% of the input, 20.0k tokens a call.');
    expect(out).toMatch(
      /With `recommended`, the same calls and pauses: about the same bill \(\$0\.14, both simulated; 1 of 1 session has a price\)\. Compare these two with each other, not with the bill: /,
    );
  });

  test('names density where its log says that it removed earlier text, and blames no provider', async () => {
    // Beside the other session it would be a copy that goes on.
    const own = new Computer();
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 9000,
      cache_read_input_tokens: 12_000,
      output_tokens: 70,
    };
    const missed = own.write('missed.jsonl', `${readFileSync(session, 'utf8')}${JSON.stringify(answer(2, usage))}\n`);
    const account = async () => jsonLines((await own.run(['bill', '--json', missed])).out)[0]?.['account'];
    expect(await account()).toMatchObject({ lost: { calls: 1, count: 9000 } });
    const logged = {
      at: Date.UTC(2026, 10, 20, 8, 2),
      agent: 'claude-code',
      isShadow: false,
      status: 200,
      addedMs: 1,
      usage: {
        promptTokens: 21_010,
        cachedTokens: 12_000,
        writtenTokens: 9000,
        writtenHourTokens: 0,
        outputTokens: 70,
      },
      report: { changed: [], savedTokens: 5000, isEpoch: true },
    };
    const log = (call: object): string =>
      own.write('.local/share/high-density/live/calls.jsonl', `${JSON.stringify(call)}\n`);
    log(logged);
    expect(await account()).toMatchObject({ pruned: { calls: 1, count: 9000 } });
    expect(await account()).not.toHaveProperty('lost');
    const { out } = await own.run(['bill', missed]);
    expect(out).toMatch(/rewritten: density changed text +1 +9\.0k/);
    expect(out).not.toContain('no cause is known');
    // What the agent changed is named.
    const changes = [{ kind: 'tools', what: '`mcp__github` changed its description' }];
    log({ ...logged, report: { ...logged.report, isEpoch: false, changes } });
    expect(await account()).toMatchObject({ tools: { calls: 1, count: 9000 } });
    expect((await own.run(['bill', missed])).out.replaceAll('\n', ' ')).toContain(
      '`mcp__github` changed its description: 9.0k tokens written again, $0.056.',
    );
  });

  test('shows no dollars of a model without a price, and counts its calls beside the total', async () => {
    const usage = { input_tokens: 3000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 };
    const linesOf = (...answers: object[]): string => answers.map((one) => `${JSON.stringify(one)}\n`).join('');
    const one = new Computer();
    const other = new Computer();
    const unpriced = one.write('unpriced.jsonl', linesOf(answer(0, usage, 'no-such-model')));
    const { out: alone } = await one.run(['bill', unpriced]);
    expect(alone).toMatch(
      /^– for 1 call of 1 session, at list prices of their day\.\s1 of these calls\shas\sno\sprice\./,
    );
    expect(alone).toMatch(/no-such-model +1 +3,000 +0% +9 +– +–/);
    expect(alone).not.toContain('$0.00');
    const mixed = other.write('mixed.jsonl', linesOf(answer(0, usage), answer(1, usage, 'no-such-model')));
    const { out: both } = await other.run(['bill', mixed]);
    expect(both).toMatch(/^\$0\.\d+ for 2 calls of 1 session, .*\s1 of these calls\shas\sno\sprice\./);
    const { out: json } = await other.run(['bill', '--json', mixed]);
    expect(jsonLines(json)).toMatchObject([{ unpricedCalls: 0 }, { unpricedCalls: 1 }]);
  });

  test('prints one line of JSON for each row', async () => {
    const { out } = await computer.run(['bill', '--by', 'day', '--json', session]);
    expect(jsonLines(out)).toMatchObject([
      { day: '2026-11-20', calls: 2, cachedTokens: 20_000, writtenTokens: 21_000 },
    ]);
  });

  test('has a row for each week, named after its Monday, or month', async () => {
    const { out: weeks } = await computer.run(['bill', '--by', 'week', '--json', session]);
    expect(jsonLines(weeks)).toMatchObject([{ week: '2026-11-16', calls: 2 }]);
    const { out: months } = await computer.run(['bill', '--by', 'month', '--json', session]);
    expect(jsonLines(months)).toMatchObject([{ month: '2026-11', calls: 2 }]);
  });

  test('has each call in one row, the same wherever the computer is', async () => {
    const own = new Computer();
    const usage = { input_tokens: 3000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 };
    // Midnight in UTC, 14 hours east and 12 hours west of it, and a millisecond before each.
    const times = [0, 10, 12].flatMap((hour) => [Date.UTC(2026, 10, 30, hour) - 1, Date.UTC(2026, 10, 30, hour)]);
    // Each answer after a message of the same moment.
    const calls = [...times, Date.UTC(2026, 11, 1) - 1, Date.UTC(2026, 11, 1)].flatMap((ms, at) => {
      const answered = { ...answer(2 * at + 1, usage), timestamp: new Date(ms).toISOString() };
      const asked = {
        ...answered,
        ...names(2 * at),
        type: 'user',
        message: { role: 'user', content: `Question ${at}.` },
      };
      return [asked, answered];
    });
    const file = own.write('days.jsonl', calls.map((one) => `${JSON.stringify(one)}\n`).join(''));
    for (const TZ of ['Etc/GMT+12', 'UTC', 'Etc/GMT-14']) {
      const rows = async (by: string) => {
        const { out } = await own.run(['bill', '--by', by, '--json', file], { TZ });
        return jsonLines(out).map((row) => [row[by], row['calls']]);
      };
      expect(await rows('day')).toEqual([
        ['2026-11-29', 1],
        ['2026-11-30', 6],
        ['2026-12-01', 1],
      ]);
      expect(await rows('month')).toEqual([
        ['2026-11', 7],
        ['2026-12', 1],
      ]);
    }
  });

  test('bills the sessions that a filter chooses, as `sessions --cost` does', async () => {
    const two = new Computer();
    const text = readFileSync(session, 'utf8');
    two.write('.claude/projects/-repo/one.jsonl', text);
    two.write('.codex/sessions/rollout-1.jsonl', '{"cut');
    const { code, out, err } = await two.run(['bill', '--agent', 'claude', '--by', 'session', '--json']);
    expect(code).toBe(0);
    expect(err).toContain('1 session on this computer (`density sessions --agent claude`)');
    const [row] = jsonLines(out);
    expect(row).toMatchObject({ session: expect.stringContaining('one.jsonl'), calls: 2 });
    const listed = jsonLines((await two.run(['sessions', '--cost', '--json'])).out);
    expect(listed.find(({ agent }) => agent === 'Claude Code')?.['dollars']).toBe(row?.['dollars']);
    expect(listed.find(({ agent }) => agent === 'Codex')?.['dollars']).toBeNull();
    expect((await two.run(['sessions', '--cost'])).out).toMatch(
      /^id .* cost +project(?: .*)?\n(?:.* – .*\n)?.* \$0\.15 .*\n/,
    );
  });

  test('names a listed session by its id and first message, any other by its file', async () => {
    const own = new Computer();
    const question = { ...answer(0, {}), type: 'user', uuid: 'u-1', parentUuid: null };
    const asked = { ...question, message: { role: 'user', content: 'Mend the tests.' } };
    const lines = readFileSync(session, 'utf8').replace('"parentUuid":null', '"parentUuid":"u-1"');
    own.write('.claude/projects/-repo/one.jsonl', `${JSON.stringify(asked)}\n${lines}`);
    const [listed] = jsonLines((await own.run(['sessions', '--json'])).out);
    const id = String(listed?.['id']);
    const { out } = await own.run(['bill', id, '--by', 'session'], { COLUMNS: '100' });
    expect(out).toMatch(new RegExp(`session .* bill +first message\\n${id} .* \\$0\\.15 +Mend the tests\\.\\n`));
    const { out: other } = await computer.run(['bill', session, '--by', 'session']);
    expect(other).toMatch(/session .* bill\nbilled\.jsonl .* \$0\.15\n/);
  });

  test('says so when no usage is recorded', async () => {
    const silent = computer.write('silent.json', JSON.stringify([{ role: 'user', content: 'Go.' }]));
    const { out } = await computer.run(['bill', silent]);
    expect(out).toContain('No usage is recorded in 1 session.');
  });
});
