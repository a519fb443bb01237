import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newOutput, stage } from './hook-stage.ts';
import type { RecordedSession } from './recorded-events.ts';

const TEXT = Array.from({ length: 40 }, (_, at) => `const value${at} = ${at}; // häuser`).join('\n');
const MARKER =
  /^\[density: word for word the result of the earlier (.*), which is still above; full text: recall ([0-9a-f]{12}), or density show \2\]$/;

/** The line in the place of a result of Claude Code's `Read`. */
const lineOf = (answer: unknown): string => (newOutput(answer) as { file: { content: string } }).file.content;

describe('a result that is word for word an earlier one', () => {
  test('becomes one line in the shape of the tool, and its text is in the archive', async () => {
    const { session, archive, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    expect(await answer(session.read('toolu_1', TEXT))).toBeUndefined();
    session.called('toolu_2');
    const changed = await answer(session.read('toolu_2', TEXT));
    const [, what, hash = ''] = MARKER.exec(lineOf(changed)) ?? [];
    expect(what).toBe('Read /p/app/a.ts');
    expect(changed).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: {
          type: 'text',
          file: {
            filePath: '/p/app/a.ts',
            content: lineOf(changed),
            numLines: 1,
            startLine: 1,
            totalLines: 120,
          },
        },
      },
    });
    expect((await archive.find(hash)).block).toMatchObject({ toolName: 'Read', result: TEXT });
    // The next one is the same line, and no second copy is kept.
    session.called('toolu_3');
    expect(await answer(session.read('toolu_3', TEXT))).toEqual(changed);
    expect(await archive.list()).toHaveLength(2);
  });

  test('becomes one line for a command, a search, a tool of an MCP server, and in Codex', async () => {
    const { session, answer } = stage();
    session.line('p');
    const block = [{ type: 'text', text: TEXT }];
    const grep = { mode: 'content', numFiles: 1, filenames: [], content: TEXT, numLines: 40 };
    const tools = ['Grep', 'mcp__docs__search'] as const;
    const events = (id: string): string[] => [
      session.bash(`b${id}`, TEXT, { stderr: 'late' }),
      session.read(`g${id}`, '', { tool_name: tools[0], tool_response: grep }),
      session.read(`m${id}`, '', { tool_name: tools[1], tool_response: block }),
    ];
    for (const call of ['b1', 'g1', 'm1', 'b2', 'g2', 'm2']) session.called(call);
    for (const event of events('1')) expect(await answer(event)).toBeUndefined();
    const outputs = await Promise.all(events('2').map((event) => answer(event)));
    expect(outputs.map((one) => (one as { hookSpecificOutput: object }).hookSpecificOutput)).toMatchObject([
      { updatedToolOutput: { stdout: expect.stringMatching(MARKER), stderr: '', interrupted: false } },
      { updatedToolOutput: { mode: 'content', content: expect.stringMatching(MARKER), filenames: [] } },
      { updatedToolOutput: [{ type: 'text', text: expect.stringMatching(MARKER) }] },
    ]);
    const codex = stage().session;
    for (const id of ['call_1', 'call_2'])
      codex.write({ type: 'response_item', payload: { type: 'function_call', name: 'exec_command', call_id: id } });
    expect(await answer(codex.codex('call_1', TEXT))).toBeUndefined();
    expect(await answer(codex.codex('call_2', TEXT))).toEqual({
      decision: 'block',
      reason: expect.stringMatching(MARKER),
    });
    codex.write({ type: 'compacted', payload: { message: 'a summary' } });
    expect(await answer(codex.codex('call_3', TEXT))).toBeUndefined();
  });

  test('stays if it is short, differs, or its shape is not known', async () => {
    const { session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    const image = { type: 'image', file: { base64: TEXT } };
    const unchanged = { type: 'file_unchanged', file: { filePath: '/p/app/a.ts' } };
    const events: readonly ((id: string) => string)[] = [
      (id) => session.read(id, 'short'),
      (id) => session.read(id, `${TEXT}${id}`),
      (id) => session.read(id, '', { tool_response: image }),
      (id) => session.read(id, '', { tool_response: unchanged }),
      (id) => session.bash(id, TEXT, { backgroundTaskId: 'b1' }),
      (id) => session.bash(id, TEXT, { persistedOutputPath: '/tmp/long.txt' }),
      (id) => session.read(id, '', { tool_name: 'WebFetch', tool_response: { result: TEXT } }),
      (id) =>
        session.read(id, '', {
          tool_name: 'mcp__plugin_density_density__recall',
          tool_response: [{ type: 'text', text: TEXT }],
        }),
    ];
    for (const event of events) {
      expect(await answer(event('toolu_1'))).toBeUndefined();
      expect(await answer(event('toolu_2'))).toBeUndefined();
    }
  });

  test('never refers to itself, when the plugin is installed twice', async () => {
    const { session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    expect(await answer(session.read('toolu_1', TEXT))).toBeUndefined();
    expect(await answer(session.read('toolu_1', TEXT))).toBeUndefined();
  });

  test('stays under `density wrap`', async () => {
    const { session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    await answer(session.read('toolu_1', TEXT));
    expect(await answer(session.read('toolu_2', TEXT), { isWrapped: true })).toBeUndefined();
  });

  test('stays if the archive cannot keep it', async () => {
    const { folder, session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    await answer(session.read('toolu_1', TEXT));
    writeFileSync(path.join(folder, 'archive'), 'no folder');
    await expect(answer(session.read('toolu_2', TEXT))).rejects.toThrow();
  });

  test.each([
    [
      'a compaction',
      (session: RecordedSession) =>
        session.line('c', { type: 'system', subtype: 'compact_boundary', parentUuid: null }),
    ],
    [
      'a clearing of old results',
      (session: RecordedSession) => session.line('m', { type: 'system', subtype: 'microcompact_boundary' }),
    ],
    ['a rewind to before it', (session: RecordedSession) => session.line('r', { parentUuid: 'p' })],
  ])('stays after %s, and counts as the first one from then on', async (_, cut) => {
    const { session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    await answer(session.read('toolu_1', TEXT));
    cut(session);
    session.called('toolu_2');
    expect(await answer(session.read('toolu_2', TEXT))).toBeUndefined();
    session.called('toolu_3');
    expect(lineOf(await answer(session.read('toolu_3', TEXT)))).toMatch(MARKER);
  });

  test('stays if no transcript shows the earlier call, and is forgotten when the agent says that it compacted', async () => {
    const { folder, session, answer } = stage();
    await answer(session.read('toolu_1', TEXT));
    session.line('p');
    expect(await answer(session.read('toolu_2', TEXT))).toBeUndefined();
    const noted = path.join(folder, 'plugin', `${session.id}.jsonl`);
    expect(readFileSync(noted, 'utf8').split('\n')).toHaveLength(3);
    expect(statSync(noted).mode & 0o777).toBe(0o600);
    expect(await answer(session.start('compact'))).toBeUndefined();
    expect(readdirSync(path.dirname(noted))).toEqual([]);
  });

  test('belongs to its agent: a subagent does not see what the main conversation sees', async () => {
    const { folder, session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    await answer(session.read('toolu_1', TEXT));
    const agent = { agent_id: 'a1b2' };
    session.write(
      { uuid: 's', parentUuid: null, isSidechain: true, message: { content: [{ type: 'tool_use', id: 'toolu_2' }] } },
      path.join(folder, 'transcripts', session.id, 'subagents/agent-a1b2.jsonl'),
    );
    expect(await answer(session.read('toolu_2', TEXT, agent))).toBeUndefined();
    expect(lineOf(await answer(session.read('toolu_3', TEXT, agent)))).toMatch(MARKER);
  });

  test('is found in a transcript of many megabytes, whose last line is not complete', async () => {
    const { session, answer } = stage();
    session.line('p');
    session.called('toolu_1');
    await answer(session.read('toolu_1', TEXT));
    for (let at = 0; at < 40; at++) session.line(`l${at}`, { text: 'ä'.repeat(40_000 + at * 1_777) });
    writeFileSync(session.transcript, '{"uuid": "unfinis', { flag: 'a' });
    expect(lineOf(await answer(session.read('toolu_2', TEXT)))).toMatch(MARKER);
  });
});

describe('a session that is resumed', () => {
  const COLD = { context_tokens: 180_000, prompt_cache_likely_expired: true, estimated_cache_write_usd: 0.675 };

  test('is offered in a smaller copy if its prompt cache has expired and enough is stale', async () => {
    const { session, answer } = stage();
    session.line('p');
    const offer = await answer(session.start('resume', COLD), { countStale: () => Promise.resolve(75_000) });
    expect(offer).toEqual({
      systemMessage: `density: the prompt cache of this session has expired, so its next call writes 180k tokens again, about $0.68. 75.0k of them (42%) are stale: leave, and \`density resume ${session.id} --run\` goes on in a copy without them.`,
    });
  });

  test.each([
    ['is new', 'startup', COLD, 75_000],
    ['is warm', 'resume', { ...COLD, prompt_cache_likely_expired: false }, 75_000],
    ['is small', 'resume', { ...COLD, context_tokens: 9_000 }, 5_000],
    ['has little that is stale', 'resume', COLD, 9_000],
    ['takes too long to count', 'resume', COLD, undefined],
  ])('is not offered if it %s', async (_, source, facts, stale) => {
    const { session, answer } = stage();
    session.line('p');
    expect(await answer(session.start(source, facts), { countStale: () => Promise.resolve(stale) })).toBeUndefined();
  });

  test('is offered in Codex by the last count in its file and its time', async () => {
    const { session, answer } = stage();
    const info = { last_token_usage: { input_tokens: 90_000 } };
    session.write({ timestamp: '2026-11-22T20:57:50.576Z', type: 'event_msg', payload: { type: 'token_count', info } });
    session.write({ type: 'event_msg', payload: { type: 'token_count', info: null } });
    session.write({ type: 'event_msg', payload: { type: 'agent_message' } });
    const now = Date.parse('2026-11-22T20:57:50.576Z');
    const countStale = () => Promise.resolve(30_000);
    expect(await answer(session.start('resume'), { now: now + 50 * 60_000, countStale })).toBeUndefined();
    expect(await answer(session.start('resume'), { now: now + 70 * 60_000, countStale })).toMatchObject({
      systemMessage: expect.stringContaining('writes 90.0k tokens again. 30.0k of them (33%) are stale'),
    });
  });
});

test.each(['', 'no JSON', '[]', '{}', '{"hook_event_name":"Stop"}', '{"hook_event_name":"Stop","session_id":"../x"}'])(
  'what is no event is refused: %s',
  async (text) => {
    await expect(stage().answer(text)).rejects.toThrow();
  },
);
