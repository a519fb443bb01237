import { describe, expect, test } from 'vitest';
import type { LiveApi } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';

const WORDS = 'some words that a tool says '.repeat(400);
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What the report of a request with these elements calls unchangeable. */
async function kindsOf(api: LiveApi, elements: readonly object[]): Promise<readonly string[]> {
  const list = { 'openai-responses': 'input', 'gemini-api': 'contents' }[api as string] ?? 'messages';
  const body = { model: 'gpt-5.6-sol', tools: [{ name: 'exec' }], [list]: elements };
  const { report } = await createPruner({ api }).prune({ body });
  expect(report.sentWhole.every(({ tokens }) => tokens > 0)).toBe(true);
  return report.sentWhole.map(({ kind }) => kind);
}

const user = { role: 'user', content: 'Go' };
const called = (type: string): object => ({ type, call_id: 'a', action: {}, status: 'completed' });
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'mcp__x__y', input: {} }] };
const answered = (content: unknown): object[] => [
  user,
  use,
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
];

describe('what tools give a model and nothing can shorten is reported by its kind, with its tokens', () => {
  test.each<[string, LiveApi, readonly object[], readonly string[]]>([
    [
      'an output with fields of its own',
      'openai-responses',
      [
        user,
        called('shell_call'),
        { type: 'shell_call_output', call_id: 'a', output: [{ stdout: WORDS, stderr: '' }] },
      ],
      ['shell_call_output'],
    ],
    [
      'a call that the provider ran',
      'openai-responses',
      [user, { type: 'mcp_call', id: 'm', server_label: 's', name: 'n', arguments: '{}', output: WORDS }],
      ['mcp_call'],
    ],
    ['an item that nobody knows', 'openai-responses', [user, { type: 'new_item', words: WORDS }], ['new_item']],
    [
      'a result of a server tool',
      'anthropic-messages',
      [
        user,
        {
          role: 'assistant',
          content: [{ type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'x', WORDS }] }],
        },
      ],
      ['web_search_tool_result'],
    ],
    [
      'a list without a text',
      'anthropic-messages',
      answered([{ type: 'tool_reference', tool_name: WORDS }]),
      ['tool_reference'],
    ],
    [
      'a picture beside a text',
      'anthropic-messages',
      answered([
        { type: 'text', text: WORDS },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
      ]),
      ['image/png'],
    ],
    [
      'not a list of texts',
      'anthropic-messages',
      answered([
        { type: 'text', text: WORDS },
        { type: 'text', text: 'b' },
      ]),
      [],
    ],
    [
      'not what the agent itself has in the list',
      'openai-responses',
      [
        { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'exec', description: WORDS }] },
        user,
      ],
      [],
    ],
  ])('%s', async (_, api, elements, kinds) => {
    expect(await kindsOf(api, elements)).toEqual(kinds);
  });
});

test('a request whose results take all of the time is reported as late, and sent as it is', async () => {
  const lines = Array.from({ length: 400 }, (_, at) => `${at}: ${WORDS.slice(0, 60)}`).join('\n');
  const body = { model: 'claude-opus-5-5', tools: [{ name: 'mcp__x__y' }], messages: answered(lines) };
  const isLate = async (mostMs: number) => {
    const pruned = await createPruner({ api: 'anthropic-messages', mostMs }).prune({ body });
    return [pruned.report.isLate, pruned.body === body];
  };
  expect(await isLate(0)).toEqual([true, true]);
  expect((await isLate(60_000))[0]).toBeUndefined();
});
