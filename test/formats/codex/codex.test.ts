import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent, ToolResponseBlock } from '../../../src/content/content.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { codex } from '../../../src/formats/codex/codex.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { decode, joinLines, linesOfText } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import {
  counted,
  event,
  item,
  type Json,
  meta,
  output,
  rollout,
  said,
  shell,
  thought,
  turn,
} from '../codex-fixture.ts';

const read = (text: string) => codex.read(linesOfText(text));
const history = (text: string): IContent[] => liveHistory(read(text));

const say = (block: ContentBlock): string => {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_call') return `call ${block.id}`;
  if (block.type === 'tool_response') return `result ${block.callId}`;
  return block.type === 'thinking' ? `thinking ${block.encryptedContent}` : block.type;
};
const words = (entries: readonly IContent[]): string[] =>
  entries.map(({ speaker, blocks }) => `${speaker}: ${blocks.map(say).join(' + ')}`);
const steps = (events: readonly SessionEvent[]): (string | string[])[] =>
  events.map((step) => (step.kind === 'add' ? (words([step.content])[0] ?? '') : words(step.contents)));
const responseOf = (text: string): ToolResponseBlock | undefined =>
  history(text)
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.type === 'tool_response');
const payloads = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).payload as Json);

describe('reading Codex rollouts', () => {
  test('knows which events a fork copied from the session that it continues', () => {
    const parent = '019d7d08-46c9-7f73-affe-4e6ca9852d56';
    const fork = '019d7e36-577c-7d90-9f1c-a447ba2254b4';
    const started = (id: string) => event({ type: 'task_started', turn_id: id });
    const own = '019d7e36-57aa-7373-b23c-bcf62344db6f';
    const copied = [
      meta(parent),
      started('019d7d08-9c2f-7101-93cc-0c4a1a3cdd30'),
      said('user', 'go'),
      said('assistant', 'I ask another agent.'),
    ];
    const forked: [string, Json] = ['session_meta', { ...meta(fork)[1], forked_from_id: parent }];
    expect(read(rollout(forked, ...copied, started(own), said('user', 'look'))).copied).toEqual([[0, 2]]);
    // Nothing says where the copy ends.
    expect(read(rollout(forked, ...copied)).copied).toBeUndefined();
    expect(read(rollout(meta(parent), ...copied, started(own))).copied).toBeUndefined();
  });

  test('joins reasoning, text and calls of one answer and ignores lines for the screen', () => {
    const text = rollout(
      meta(),
      said('user', 'go'),
      event({ type: 'user_message', message: 'go' }),
      thought('r1'),
      event({ type: 'agent_reasoning', text: 'hm' }),
      said('assistant', 'I look.'),
      shell('c1', 'ls'),
      shell('c2', 'pwd'),
      event({ type: 'exec_command_end', call_id: 'c1', aggregated_output: 'a duplicate' }),
      output('c1', 'a'),
      output('c2', '/'),
      said('assistant', 'Done.'),
    );
    expect(words(history(text))).toEqual([
      'human: go',
      'ai: thinking r1 + I look. + call c1 + call c2',
      'tool: result c1',
      'tool: result c2',
      'ai: Done.',
    ]);
  });

  test('starts a new answer at each model call', () => {
    const text = rollout(meta(), said('assistant', 'one'), counted(10, 7), said('assistant', 'two'), counted(20, 7));
    expect(words(history(text))).toEqual(['ai: one', 'ai: two']);
    const repeated = rollout(
      meta(),
      thought('r'),
      counted(10, 7),
      said('user', 'x'),
      thought('s'),
      counted(10, 7),
      said('assistant', 'y'),
    );
    expect(words(history(repeated))).toEqual(['ai: thinking r', 'human: x', 'ai: thinking s + y']);
  });

  test('counts a call after a resume, whose total starts at zero and equals the last one by chance', () => {
    const count = (total: Json, last: Json) =>
      event({ type: 'token_count', info: { total_token_usage: total, last_token_usage: last } });
    const twice = count(tokens(300, 20), tokens(200, 10));
    const text = rollout(
      meta(),
      said('assistant', 'one'),
      count(tokens(100, 10), tokens(100, 10)),
      said('assistant', 'two'),
      twice,
      twice,
      said('user', 'resumed'),
      said('assistant', 'three'),
      count(tokens(310, 10), tokens(310, 10)),
    );
    const prompts = history(text).map(({ metadata }) => metadata?.usage?.promptTokens);
    expect(prompts).toEqual([100, 200, undefined, 310]);
  });

  /** Codex 0.171 writes a record for each answer of the provider, also for those that no `token_count` counts. */
  const answered = (id: string, input: number): [string, Json] => [
    'token_usage_record',
    { response_id: id, usage: { ...tokens(input, 40), cached_input_tokens: 7, cache_write_input_tokens: 5 } },
  ];
  const tokens = (input: number, output: number): Json => ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
  });

  // Source: a rollout that Codex 0.171.0 wrote, with a compaction by the provider
  test('counts the call of a compaction by the provider, which only its record has', () => {
    const compacted: [string, Json] = [
      'compacted',
      {
        message: '',
        replacement_history: [{ type: 'compaction', encrypted_content: 'k' }],
        compaction_response_id: 'resp_2',
      },
    ];
    const estimate: Json = { input_tokens: 0, output_tokens: 0, total_tokens: 900 };
    const session = read(
      rollout(
        meta(),
        turn('gpt-6.2-sol'),
        said('user', 'go'),
        said('assistant', 'one'),
        answered('resp_1', 100),
        counted(103, 100),
        answered('resp_2', 4000),
        compacted,
        event({ type: 'token_count', info: { total_token_usage: { total_tokens: 103 }, last_token_usage: estimate } }),
        said('assistant', 'two'),
        answered('resp_3', 200),
        counted(306, 200),
        counted(306, 200),
      ),
    );
    expect(session.sideCalls).toEqual([
      {
        answerId: 'resp_2',
        model: 'gpt-6.2-sol',
        atMs: expect.any(Number),
        usage: { promptTokens: 4000, completionTokens: 40, totalTokens: 4040, cachedTokens: 7, writtenTokens: 5 },
      },
    ]);
    expect(liveHistory(session).map(({ metadata }) => metadata?.usage?.promptTokens)).toEqual([undefined, 200]);
  });

  test('counts an answer of which only the record was written, and none that a fork copied', () => {
    const parent = '019d7d08-46c9-7f73-affe-4e6ca9852d56';
    const forked: [string, Json] = [
      'session_meta',
      { ...meta('019d7e36-577c-7d90-9f1c-a447ba2254b4')[1], forked_from_id: parent },
    ];
    const started = event({ type: 'task_started', turn_id: '019d7e36-57aa-7373-b23c-bcf62344db6f' });
    const idsOf = (text: string) => read(text).sideCalls?.map(({ answerId }) => answerId);
    expect(idsOf(rollout(meta(), said('assistant', 'one'), answered('a', 9), answered('b', 9)))).toEqual(['a', 'b']);
    expect(idsOf(rollout(forked, answered('a', 9), started, answered('b', 9)))).toEqual(['b']);
    expect(idsOf(rollout(meta(), said('assistant', 'one'), answered('a', 100), counted(103, 100)))).toBeUndefined();
  });

  // Source: https://github.com/ccusage/ccusage/issues/1617, a line of Codex 0.148
  test('reads what was written to the cache; a zero is a count, and no field is none', () => {
    const count = (last: Json) =>
      event({ type: 'token_count', info: { total_token_usage: { total_tokens: 1 }, last_token_usage: last } });
    const usageOf = (last: Json) => history(rollout(meta(), said('assistant', 'one'), count(last)))[0]?.metadata?.usage;
    const last = {
      input_tokens: 58_697,
      cached_input_tokens: 57_817,
      output_tokens: 227,
      reasoning_output_tokens: 9,
      total_tokens: 58_924,
    };
    const read = { promptTokens: 58_697, completionTokens: 227, totalTokens: 58_924, cachedTokens: 57_817 };
    expect(usageOf(last)).toEqual(read);
    expect(usageOf({ ...last, cache_write_input_tokens: 0 })).toEqual({ ...read, writtenTokens: 0 });
    expect(usageOf({ ...last, cache_write_input_tokens: 800 })).toEqual({ ...read, writtenTokens: 800 });
    // A login of ChatGPT, by a version that did not count it.
    const [type, payload] = count(last);
    const ofPlan = [type, { ...payload, rate_limits: { plan_type: 'plus' } }] as [string, Json];
    expect(history(rollout(meta(), said('assistant', 'one'), ofPlan))[0]?.metadata?.usage).toEqual({
      ...read,
      writtenTokens: 0,
    });
  });

  // Source: https://github.com/junhoyeo/tokscale/issues/1347
  test('reads how each call was served, from its count or from the settings of the thread', () => {
    const count = (total: number, more: Json = {}) => {
      const [type, payload] = counted(total, 6);
      return [type, { ...payload, ...more }] as [string, Json];
    };
    const settings = (tier: string | null) =>
      event({ type: 'thread_settings_applied', thread_settings: { model: 'gpt-5.4', service_tier: tier } });
    const text = rollout(
      meta(),
      said('assistant', 'one'),
      count(9),
      said('user', 'a'),
      settings('priority'),
      said('assistant', 'two'),
      count(18),
      said('user', 'b'),
      said('assistant', 'three'),
      count(27, { service_tier: 'default' }),
      said('user', 'c'),
      settings('default'),
      said('assistant', 'four'),
      count(36),
      said('user', 'd'),
      said('assistant', 'five'),
      count(45, { service_tier: 'priority' }),
    );
    const answers = history(text).filter(({ speaker }) => speaker === 'ai');
    const services = answers.map(({ metadata }) => metadata?.usage?.service);
    expect(services).toEqual([undefined, 'priority', undefined, undefined, 'priority']);
  });

  test('gives each answer its usage, whether the count is before the answer or after it', () => {
    const usages = (text: string) => history(text).flatMap(({ metadata }) => metadata?.usage?.promptTokens ?? []);
    const answers = [said('assistant', 'one'), shell('c1', 'ls'), output('c1', ''), said('assistant', 'two')] as const;
    expect(
      usages(rollout(meta(), answers[0], answers[1], counted(9, 6), answers[2], answers[3], counted(30, 8))),
    ).toEqual([6, 8]);
    expect(
      usages(rollout(meta(), counted(9, 6), answers[0], answers[1], answers[2], counted(30, 8), answers[3])),
    ).toEqual([6, 8]);
    expect(history(rollout(meta(), turn('model-y'), answers[0], counted(9, 6)))[0]?.metadata).toMatchObject({
      model: 'model-y',
      usage: { promptTokens: 6, completionTokens: 3, totalTokens: 9, cachedTokens: 2 },
    });
  });

  test('uses the first header for the session; a resume and a fork repeat theirs', () => {
    const session = read(rollout(meta('fork'), meta('origin'), turn('a'), said('user', 'hi'), meta('fork'), turn('b')));
    expect(session).toMatchObject({
      id: 'fork',
      model: 'b',
      workspaceRoot: '/repo/demo',
      systemText: 'You write code.',
    });
    expect(words(liveHistory(session))).toEqual(['human: hi']);
  });

  test('replaces the context at a compaction; user messages are the same entries', () => {
    const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] };
    const text = rollout(
      meta(),
      item(user),
      said('assistant', 'working'),
      ['compacted', { message: '', replacement_history: [user, { type: 'compaction', encrypted_content: 'sum' }] }],
      said('assistant', 'on'),
    );
    const { events } = read(text);
    expect(steps(events)).toEqual(['human: go', 'ai: working', ['human: go', 'ai: thinking sum'], 'ai: on']);
    const [first, , replace] = events;
    expect(replace?.kind === 'replace' && first?.kind === 'add' && replace.contents[0] === first.content).toBe(true);
    expect(history(text)[1]?.metadata?.isSummary).toBe(true);
  });

  test('keeps user messages and the summary at a compaction without a list (older versions)', () => {
    const text = rollout(meta(), said('user', 'go'), shell('c1', 'ls'), output('c1', 'a'), [
      'compacted',
      { message: 'Looked.' },
    ]);
    expect(words(history(text))).toEqual(['human: go', 'human: Looked.']);
    const shorter = history(text).map((entry) =>
      entry.metadata?.isSummary ? { ...entry, blocks: [{ type: 'text' as const, text: 'L.' }] } : entry,
    );
    expect(words(history(rewritten(codex, text, shorter)))).toEqual(['human: go', 'human: L.']);
  });

  test('removes rolled-back turns; context messages start no turn', () => {
    const lines = [
      meta(),
      said('user', '<environment_context>\n</environment_context>'),
      said('user', 'one'),
      said('assistant', '1'),
      said('user', '# AGENTS.md instructions for /work'),
      said('user', 'two'),
      said('assistant', '2'),
    ] as const;
    const after = (turns: number) =>
      words(history(rollout(...lines, event({ type: 'thread_rolled_back', num_turns: turns })))).length;
    expect([0, 1, 2, 9].map(after)).toEqual([6, 4, 1, 1]);
    const text = rollout(...lines, event({ type: 'thread_rolled_back', num_turns: 1 }), said('user', 'three'));
    expect(words(history(text)).at(-1)).toBe('human: three');
    expect(rewritten(codex, text, history(text))).toBe(text);
  });

  test('reads raw input as text, arguments as their object, and built-in tools unchanged', () => {
    const text = rollout(
      meta(),
      item({ type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' }),
      item({ type: 'function_call', call_id: 'c2', name: 'f', arguments: '{"a": 1.50}' }),
      item({ type: 'function_call', call_id: 'c3', name: 'g', arguments: 'not json' }),
      item({ type: 'local_shell_call', call_id: 'c4', action: { type: 'exec', command: ['ls'] } }),
      item({ type: 'web_search_call', status: 'completed' }),
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
    );
    expect(history(text)[0]?.blocks).toEqual([
      { type: 'tool_call', id: 'c1', name: 'apply_patch', parameters: '*** Begin Patch' },
      { type: 'tool_call', id: 'c2', name: 'f', parameters: { a: 1.5 } },
      { type: 'tool_call', id: 'c3', name: 'g', parameters: 'not json' },
      { type: 'tool_call', id: 'c4', name: 'local_shell', parameters: { type: 'exec', command: ['ls'] } },
      { type: 'code', language: 'json', code: '{"type":"web_search_call","status":"completed"}' },
    ]);
  });

  test('writes a built-in search of an added answer as the item that it was', () => {
    const search = item({ type: 'web_search_call', status: 'completed' });
    const text = rollout(meta(), said('user', 'find it'), said('assistant', 'I look.'), search);
    const [asked, found] = history(text);
    const answer: IContent = { speaker: 'ai', blocks: found?.blocks ?? [] };
    const written = rewritten(codex, text, [asked!, answer]);
    expect(written).toContain('"payload":{"type":"web_search_call","status":"completed"}');
    expect(history(written)[1]?.blocks).toEqual(answer.blocks);
  });

  test.each([
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 3\n', undefined],
    ['Exit code: 124\nWall time: 9 seconds\nOutput:\n', 'exit code 124'],
    [
      'Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nx',
      'exit code 2',
    ],
    [
      'Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 2\n',
      undefined,
    ],
    ['{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}', 'exit code 1'],
    ['{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}', undefined],
    [
      'apply_patch verification failed: Failed to find expected lines in a.ts:\nlet a',
      'apply_patch verification failed: Failed to find expected lines in a.ts:',
    ],
    ['patch rejected: empty patch', 'patch rejected: empty patch'],
    ['Error: the page says it failed', undefined],
    ['Script failed\nWall time 0.1 seconds\nOutput:\n\nScript error:\nno such tool', 'Script failed'],
    ['Script completed\nWall time 0.1 seconds\nOutput:\n\nScript failed\n', undefined],
  ])(
    'finds a failure by what Codex recorded, never by the output of a command: %j (docs/readings.md, rows 2, 20)',
    (text, error) => {
      expect(responseOf(rollout(meta(), shell('c1', 'x'), output('c1', text)))?.error).toBe(error);
    },
  );

  test('finds a failure by the status of a call', () => {
    const call = { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '' };
    const text = rollout(meta(), item({ ...call, status: 'declined' }), output('c1', 'no'));
    expect(responseOf(text)).toMatchObject({ result: 'no', error: 'status declined' });
  });
});

describe('writing Codex rollouts', () => {
  const without = (entries: readonly IContent[], ...ids: string[]): IContent[] =>
    entries.flatMap((entry) => {
      const blocks = entry.blocks.filter(
        (block) =>
          !(block.type === 'tool_call' && ids.includes(block.id)) &&
          !(block.type === 'tool_response' && ids.includes(block.callId)),
      );
      return blocks.length === 0 ? [] : [{ ...entry, blocks }];
    });

  test('removes reasoning with the calls after it, and only with all of them', () => {
    const text = rollout(
      meta(),
      said('user', 'go'),
      thought('r1'),
      shell('c1', 'ls'),
      thought('r2'),
      shell('c2', 'a'),
      shell('c3', 'b'),
      output('c1', ''),
      output('c2', ''),
      output('c3', ''),
    );
    expect(words(history(rewritten(codex, text, without(history(text), 'c1', 'c2'))))).toEqual([
      'human: go',
      'ai: thinking r2 + call c3',
      'tool: result c3',
    ]);
    expect(words(history(rewritten(codex, text, without(history(text), 'c1', 'c2', 'c3'))))).toEqual(['human: go']);
  });

  test('keeps reasoning that led to nothing when it was recorded', () => {
    const text = rollout(meta(), said('user', 'go'), thought('r1'));
    const changed = history(text).map((entry, index) =>
      index === 0 ? { ...entry, blocks: [{ type: 'text' as const, text: 'Go!' }] } : entry,
    );
    expect(words(history(rewritten(codex, text, changed)))).toEqual(['human: Go!', 'ai: thinking r1']);
  });

  test('edits, removes and adds inside the last replacement history, and leaves what is no longer live', () => {
    const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const text = rollout(
      meta(),
      said('user', 'old'),
      ['compacted', { replacement_history: [user('one'), user('two'), user('three')], window_number: 1 }],
      said('assistant', 'ok'),
    );
    const [one, two, three, ok] = history(text) as [IContent, IContent, IContent, IContent];
    const added = (words: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text: words }] });
    const written = rewritten(codex, text, [
      added('first'),
      { ...one, blocks: [{ type: 'text', text: '1' }] },
      added('between'),
      three,
      ok,
      added('last'),
    ]);
    expect(words(history(written))).toEqual(
      ['first', '1', 'between', 'three', 'ok', 'last'].map((said, at) => `${at === 4 ? 'ai' : 'human'}: ${said}`),
    );
    expect(written.split('\n').slice(0, 2)).toEqual(text.split('\n').slice(0, 2));
    expect(payloads(written)[2]?.['window_number']).toBe(1);
    expect(two.blocks).toEqual([{ type: 'text', text: 'two' }]);
  });

  test('adds entries to a rollout without a compaction, in order, in separate lines', () => {
    const text = rollout(meta(), said('user', 'one'), said('assistant', 'two')).trimEnd();
    const [one, two] = history(text) as [IContent, IContent];
    const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'so far' }] };
    const call: IContent = { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'c', name: 'f', parameters: { a: 1 } }] };
    expect(words(history(rewritten(codex, text, [summary, one, two, summary, call])))).toEqual([
      'human: so far',
      'human: one',
      'ai: two',
      'human: so far',
      'ai: call c',
    ]);
    expect(words(history(rewritten(codex, text, [summary])))).toEqual(['human: so far']);
    expect(words(history(rewritten(codex, rollout(meta()), [summary])))).toEqual(['human: so far']);
  });

  test('keeps arguments exactly as they are when only another block of the answer changed', () => {
    const text = rollout(
      meta(),
      item({ type: 'function_call', call_id: 'c1', name: 'f', arguments: '{ "a" : 1.50 }' }),
      shell('c2', 'ls'),
      output('c1', ''),
      output('c2', ''),
    );
    const written = rewritten(codex, text, without(history(text), 'c2'));
    expect(payloads(written)[1]?.['arguments']).toBe('{ "a" : 1.50 }');
    const [call] = history(text) as [IContent];
    const changed = {
      ...call,
      blocks: call.blocks.map((block) =>
        block.type === 'tool_call' && block.id === 'c1' ? { ...block, parameters: { a: 2 } } : block,
      ),
    };
    const again = rewritten(codex, text, [changed, ...history(text).slice(1)]);
    expect(payloads(again)[1]?.['arguments']).toBe('{"a":2}');
    expect(payloads(again)[2]).toEqual(payloads(text)[2]);
  });

  test.each([
    'Exit code: 2\nWall time: 0 seconds\nOutput:\nmany words\n',
    '{"output":"many words","metadata":{"exit_code":2,"duration_seconds":1.5}}',
    'apply_patch verification failed: no such lines',
    'plain',
  ])('a shortened result keeps its failure, and is read as it was given: %j (docs/readings.md, row 20)', (given) => {
    const text = rollout(meta(), shell('c1', 'x'), output('c1', given));
    for (const result of ['', 'short', '{"output":"odd","metadata":{}}', 'Exit code: 9\nodd']) {
      const shorter = history(text).map((entry) => ({
        ...entry,
        blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result } : block)),
      }));
      const written = rewritten(codex, text, shorter);
      expect(history(written).map(({ blocks }) => blocks)).toEqual(shorter.map(({ blocks }) => blocks));
      expect(rewritten(codex, written, history(written))).toBe(written);
    }
  });

  test('keeps the pictures of an output whose text changed, and removes them one by one', () => {
    const parts = [
      { type: 'input_text', text: 'two pictures' },
      { type: 'input_image', image_url: 'data:image/png;base64,YQ==', detail: 'high' },
      { type: 'input_image', image_url: 'data:image/png;base64,Yg==' },
    ];
    const text = rollout(meta(), shell('c1', 'x'), output('c1', parts));
    const [call, answer] = history(text) as [IContent, IContent];
    const [response, first, second] = answer.blocks as [ToolResponseBlock, ContentBlock, ContentBlock];
    const outputs = (blocks: ContentBlock[]) =>
      payloads(rewritten(codex, text, [call, { ...answer, blocks }]))[2]?.['output'];
    expect(outputs([{ ...response, result: 'short' }, first, second])).toEqual([
      { type: 'input_text', text: 'short' },
      parts[1],
      parts[2],
    ]);
    expect(outputs([response, second])).toEqual([parts[0], parts[2]]);
    expect(() =>
      outputs([response, { type: 'media', mimeType: 'image/png', data: 'Yw==', encoding: 'base64' }]),
    ).toThrow(/media block/);
  });
});

describe('creating Codex rollouts', () => {
  const created = (entries: readonly IContent[]): string =>
    decode(joinLines(codex.create?.(entries, { id: 'new', model: 'm', workspaceRoot: '/w', startedAt: 0 }) ?? []));

  test('starts with the header, gives patches raw input, and shows user messages', () => {
    const text = created([
      { speaker: 'human', blocks: [{ type: 'text', text: 'go' }], metadata: { timestamp: 5000 } },
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'c', name: 'apply_patch', parameters: '*** Begin Patch' }] },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'c', toolName: 'apply_patch', result: 'ok' }] },
    ]);
    expect(payloads(text).map(({ type, id }) => type ?? id)).toEqual([
      'new',
      undefined,
      'message',
      'user_message',
      'custom_tool_call',
      'custom_tool_call_output',
    ]);
    expect(JSON.parse(text.split('\n')[2] ?? '').timestamp).toBe('1970-01-01T00:00:05.000Z');
    expect(read(text)).toMatchObject({ id: 'new', model: 'm', workspaceRoot: '/w' });
  });

  test('keeps reasoning that Codex encrypted, and no thinking of another provider', () => {
    const entries: IContent[] = [
      {
        speaker: 'ai',
        blocks: [
          { type: 'thinking', thought: 'hm', sourceField: 'thinking', signature: 'sig' },
          { type: 'thinking', thought: '', isHidden: true, encryptedContent: 'other' },
          { type: 'thinking', thought: 'so', sourceField: 'reasoning', encryptedContent: 'own' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    ];
    expect(historyOf(codex, created(entries))[0]?.blocks).toEqual(entries[0]?.blocks.slice(2));
  });
});
