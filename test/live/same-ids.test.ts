import { describe, expect, test } from 'vitest';
import type { LiveApi } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';

const lines = (name: string): string =>
  Array.from({ length: 150 }, (_, at) => `${name} line ${at + 1} with words enough to matter here`).join('\n');

/** A call or a result of one; a number says which of the calls it is. */
interface Said {
  readonly calls?: readonly (readonly [call: number, name: string, input: object])[];
  readonly results?: readonly (readonly [call: number, text: string])[];
  readonly text?: string;
}

type IdOf = (call: number) => unknown;

const STORY: readonly Said[] = [
  {
    calls: [
      [1, 'read_file', { path: 'b.ts' }],
      [2, 'read_file', { path: 'c.ts' }],
    ],
  },
  {
    results: [
      [1, lines('B')],
      [2, lines('C')],
    ],
  },
  { calls: [[3, 'write_file', { path: 'c.ts', content: 'new' }]] },
  { results: [[3, 'ok']] },
  { text: 'Done.' },
];

const APIS: Partial<Record<LiveApi, (said: Said, idOf: IdOf) => object[]>> = {
  'openai-chat': ({ calls, results, text }, idOf) => [
    ...(calls || text
      ? [
          {
            role: 'assistant',
            content: text ?? null,
            ...(calls && {
              tool_calls: calls.map(([call, name, input]) => ({
                id: idOf(call),
                type: 'function',
                function: { name, arguments: JSON.stringify(input) },
              })),
            }),
          },
        ]
      : []),
    ...(results ?? []).map(([call, content]) => ({ role: 'tool', tool_call_id: idOf(call), content })),
  ],
  'anthropic-messages': ({ calls, results, text }, idOf) =>
    calls || text
      ? [
          {
            role: 'assistant',
            content:
              calls?.map(([call, name, input]) => ({ type: 'tool_use', id: String(idOf(call)), name, input })) ?? text,
          },
        ]
      : [
          {
            role: 'user',
            content: results!.map(([call, content]) => ({
              type: 'tool_result',
              tool_use_id: String(idOf(call)),
              content,
            })),
          },
        ],
  'openai-responses': ({ calls = [], results = [], text }, idOf) => [
    ...(text ? [{ type: 'message', role: 'assistant', content: text }] : []),
    ...calls.map(([call, name, input]) => ({
      type: 'function_call',
      call_id: String(idOf(call)),
      name,
      arguments: JSON.stringify(input),
    })),
    ...results.map(([call, output]) => ({ type: 'function_call_output', call_id: String(idOf(call)), output })),
  ],
  'gemini-api': ({ calls, results = [], text }, idOf) => {
    const functionCalls = calls?.map(([call, name, args]) => ({ functionCall: { id: idOf(call), name, args } }));
    if (functionCalls || text) return [{ role: 'model', parts: functionCalls ?? [{ text }] }];
    const parts = results.map(([call, output]) => ({
      functionResponse: { id: idOf(call), name: nameOf(call), response: { output } },
    }));
    return [{ role: 'user', parts }];
  },
};

const KEYS: Partial<Record<LiveApi, string>> = { 'openai-responses': 'input', 'gemini-api': 'contents' };
/** The results of the API name their tools. */
const nameOf = (call: number): string => (call === 3 || call === 5 ? 'write_file' : 'read_file');

/** The texts of all results as they are sent two hours after the story, and what the reports say that they were. */
async function sentLater(api: LiveApi, story: readonly Said[], idOf: IdOf) {
  let now = 1e12;
  const archived: unknown[] = [];
  const pruner = createPruner({
    api,
    now: () => now,
    archive: async (blocks) =>
      void archived.push(blocks.map((block) => JSON.stringify({ ...block, id: 0, callId: 0, toolName: 0 }))),
  });
  const changed: (readonly [what: string, reason: string])[] = [];
  const says = (text: string): object =>
    api === 'gemini-api' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text };
  const list: object[] = [says('Fix it.')];
  const key = KEYS[api] ?? 'messages';
  const tools = ['read_file', 'write_file'].map((name) =>
    api === 'openai-chat'
      ? { type: 'function', function: { name, parameters: {} } }
      : { type: 'function', name, parameters: {} },
  );
  const send = async () => {
    const model = api === 'anthropic-messages' ? 'claude-opus-5' : 'gpt-5.4';
    const { body, report } = await pruner.prune({
      body: { model, ...(api === 'anthropic-messages' && { max_tokens: 9_000 }), tools, [key]: [...list] },
    });
    await pruner.observe(report, { status: 200 });
    changed.push(...report.changed.map(({ what, reason }) => [what, reason] as const));
    return (body as unknown as Record<string, object[]>)[key];
  };
  await send();
  for (const said of story) {
    list.push(...APIS[api]!(said, idOf));
    if (said.results) {
      now += 1_000;
      await send();
    }
  }
  list.push(says('Later.'));
  now += 7_200_000;
  const texts = JSON.stringify(await send(), (name, value: unknown) =>
    ['id', 'call_id', 'tool_call_id', 'tool_use_id'].includes(name) ? undefined : value,
  );
  // The name of an archived text depends on the id of its call.
  return {
    texts: texts.replace(/density show \w+/g, ''),
    changed,
    archived,
  };
}

describe.each(Object.keys(APIS) as LiveApi[])('calls with one id in requests of %s', (api) => {
  test.each<[string, IdOf]>([
    ['the same in one answer', (call) => (call < 3 ? 'd' : `d${call}`)],
    ['one for everything', () => 'call_0'],
    ['numbers', (call) => call + 6],
    ['none', () => (api === 'openai-chat' || api === 'gemini-api' ? undefined : '')],
  ])('are pruned as if each had its own: %s', async (_, idOf) => {
    const expected = await sentLater(api, STORY, (call) => `own_${call}`);
    expect(expected.changed).toEqual([['read_file c.ts', expect.stringContaining('write_file c.ts')]]);
    expect(await sentLater(api, STORY, idOf)).toEqual(expected);
  });

  test('are pruned as if each had its own where ids start again in each answer', async () => {
    const again: readonly Said[] = [
      ...STORY,
      { calls: [[4, 'read_file', { path: 'c.ts' }]] },
      { results: [[4, lines('New C')]] },
      { calls: [[5, 'write_file', { path: 'b.ts', content: 'new' }]] },
      { results: [[5, 'ok']] },
      { text: 'Done.' },
    ];
    const expected = await sentLater(api, again, (call) => `own_${call}`);
    expect(expected.changed.length).toBeGreaterThan(1);
    expect(await sentLater(api, again, (call) => `read:${[0, 0, 1, 0, 0, 0][call]}`)).toEqual(expected);
  });

  test('are left alone if one has no result', async () => {
    const fewer = STORY.map((said, at) => (at === 1 ? { results: [[1, lines('C')] as const] } : said));
    const { changed } = await sentLater(api, fewer, (call) => (call < 3 ? 'd' : `d${call}`));
    expect(changed).toEqual([]);
  });
});
