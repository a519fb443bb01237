import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { formatNamed } from '../../../src/formats/index.ts';
import { linesOfText } from '../../../src/formats/lines/lines.ts';
import { isRequestFormat, lintRequest } from '../../../src/lab/lint/request-lint.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';

/** Rule, severity, entry and message of all that is wrong with the messages of a request. */
function flawsOf(format: string, messages: readonly unknown[]): unknown[] {
  const body = { model: 'm', max_tokens: 1, [format === 'gemini-api' ? 'contents' : 'messages']: messages };
  const history = liveHistory(formatNamed(format).read(linesOfText(JSON.stringify(body))));
  return lintRequest(format, body, history).map(({ rule, severity, position, message }) => [
    rule,
    severity,
    position,
    message.split(' ')[0],
  ]);
}

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const answer = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });

describe('lint of the body of a request', () => {
  test.each([
    ['an answer without content', [user('a'), assistant([]), user('b')], ['empty-entry', 1, 1]],
    ['a first message of nothing', [user(''), assistant('a'), user('b')], ['empty-entry', 1, 0]],
    [
      'an empty text beside a call',
      [user('a'), assistant([{ type: 'text', text: '' }, use('t1')]), user([answer('t1')])],
      ['empty-text', 2, 1],
    ],
    [
      'blanks beside a result, of whose message two entries are made',
      [user('a'), assistant([use('t1')]), user([answer('t1'), { type: 'text', text: ' \n' }])],
      ['empty-text', 3, 2],
    ],
    ['a last answer that ends with a blank', [user('a'), assistant('so ')], ['trailing-blank', 2, 1]],
    ['a call id with a dot', [user('a'), assistant([use('t.1')]), user([answer('t.1')])], ['call-id', 2, 1]],
  ])('names what Anthropic refuses: %s', (_what, messages, [rule, position, index]) => {
    expect(flawsOf('anthropic-messages', messages)).toEqual([[rule, 'refused', position, `messages[${index}]`]]);
  });

  test('names what OpenAI refuses', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
    const messages = [user('a'), { role: 'assistant', content: null }, user([]), assistant('')];
    expect(flawsOf('openai-chat', messages)).toEqual([
      ['empty-entry', 'refused', 1, 'messages[1]'],
      ['empty-entry', 'refused', 1, 'messages[2]'],
    ]);
    const called = { role: 'assistant', content: null, tool_calls: [call] };
    expect(flawsOf('openai-chat', [user('a'), called, { role: 'tool', tool_call_id: 'c1', content: '' }])).toEqual([]);
  });

  test('names what Gemini refuses', () => {
    const turn = (role: string, ...parts: unknown[]) => ({ role, parts });
    expect(
      flawsOf('gemini-api', [turn('user', { text: 'a' }), turn('model'), turn('user', {}, { text: 'b' })]),
    ).toEqual([
      ['empty-entry', 'refused', 1, 'contents[1]'],
      ['empty-entry', 'refused', 2, 'contents[2]'],
    ]);
  });

  test('lets pass what they take: a last answer of nothing, a list of other things, other formats', () => {
    expect(flawsOf('anthropic-messages', [user('a'), assistant('')])).toEqual([]);
    expect(lintRequest('openai-chat', [{ traj: [] }, 1, null], [])).toEqual([]);
    expect(lintRequest('codex', { messages: [user('')] }, [])).toEqual([]);
    expect(lintRequest('toString', { messages: [user('')] }, [])).toEqual([]);
    expect(['anthropic-messages', 'codex', 'toString'].map(isRequestFormat)).toEqual([true, false, false]);
  });

  const cacheControl = { type: 'ephemeral' };
  const marked = (text: string) => ({ type: 'text', text, cache_control: cacheControl });
  const answered = [user([answer('t1')])];
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
  const searched = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
  const words = { type: 'text', text: 'ok' };

  test.each([
    ['five cache marks', [user(['0', '1', '2', '3', '4'].map(marked))], /maximum of 4 blocks.*Found 5/],
    [
      'a mark on thinking',
      [
        user('a'),
        assistant([{ type: 'thinking', thinking: 'x', signature: 's', cache_control: cacheControl }, words]),
        user('b'),
      ],
      /^messages\.1\.content\.0\.thinking\.cache_control/,
    ],
    [
      'a server call without its result',
      [user('a'), assistant([search, words]), user('b'), assistant('c')],
      /^messages\.1: `web_search`/,
    ],
    [
      'an input that is a text',
      [user('a'), assistant([{ ...use('t1'), input: '{}' }]), ...answered],
      /tool_use\.input: Input should be/,
    ],
    [
      'a server input that is a text',
      [user('a'), assistant([{ ...search, input: '{}' }, searched])],
      /server_tool_use\.input/,
    ],
    [
      'two results for one call',
      [user('a'), assistant([use('t1')]), user([answer('t1'), answer('t1')])],
      /must have a single result/,
    ],
    [
      'a call id that is a number',
      [user('a'), assistant([{ ...use('t1'), id: 1 }]), user([{ ...answer('t1'), tool_use_id: 1 }])],
      /id: Input should be a valid string/,
    ],
    ['content that is null', [user(null), assistant('a'), user('b')], /^messages\[0\] has a content that is neither/],
    ['an unknown role', [user('a'), { role: 'human', content: 'b' }], /^messages\.1\.role/],
  ])('refuses, as the strict provider does: %s', (_, messages, words) => {
    const body = { model: 'claude-opus-4-6', max_tokens: 1, messages };
    const history = liveHistory(formatNamed('anthropic-messages').read(linesOfText(JSON.stringify(body))));
    expect(lintRequest('anthropic-messages', body, history)).toContainEqual(
      expect.objectContaining({ severity: 'refused', message: expect.stringMatching(words) }),
    );
    expect(new StrictProvider().receive({ api: 'anthropic-messages', body }, 0).status).toBe(400);
  });

  test('refuses, as the strict provider does: a stream without an answer', () => {
    const body = { model: 'claude-opus-4-6', max_tokens: 0, stream: true, messages: [user('a')] };
    const history = liveHistory(formatNamed('anthropic-messages').read(linesOfText(JSON.stringify(body))));
    expect(lintRequest('anthropic-messages', body, history)).toContainEqual(
      expect.objectContaining({ severity: 'refused', message: expect.stringContaining('`stream: true`') }),
    );
    expect(lintRequest('anthropic-messages', { ...body, stream: false }, history)).toEqual([]);
  });

  test.each([
    ['a server call with its result', [user('a'), assistant([search, searched, words]), user('b')]],
    ['a server call that goes on', [user('a'), assistant([search])]],
    [
      'a server call whose result follows that of a call that it made',
      [user('a'), assistant([search, use('t1')]), ...answered, assistant([searched, words]), user('b')],
    ],
    ['four marks', [user(['0', '1', '2', '3'].map(marked))]],
  ])('lets pass, as the strict provider does: %s', (_, messages) => {
    const body = { model: 'claude-opus-4-6', max_tokens: 1, messages };
    const history = liveHistory(formatNamed('anthropic-messages').read(linesOfText(JSON.stringify(body))));
    expect(lintRequest('anthropic-messages', body, history)).toEqual([]);
    expect(new StrictProvider().receive({ api: 'anthropic-messages', body }, 0).status).toBe(200);
  });

  test.each([
    [
      'openai-chat',
      {
        messages: [
          user('a'),
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 1, type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 1, content: 'x' },
        ],
      },
    ],
    [
      'openai-responses',
      {
        input: [
          { type: 'function_call_output', call_id: 'c', output: 'x' },
          { type: 'message', role: 'user', content: 'a' },
        ],
      },
    ],
  ] as const)('refuses what the strict provider refuses in %s', (api, messages) => {
    const body = { model: 'gpt-5', ...messages };
    expect(lintRequest(api, body, [])).toContainEqual(
      expect.objectContaining({ rule: 'api-rule', severity: 'refused' }),
    );
    expect(new StrictProvider().receive({ api, body }, 0).status).toBe(400);
  });

  test('doubts a call of Gemini without a signature, which its newer models refuse', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ];
    expect(lintRequest('gemini-api', { contents }, [])).toContainEqual(
      expect.objectContaining({ severity: 'doubtful', message: expect.stringContaining('thought_signature') }),
    );
    expect(
      new StrictProvider().receive({ api: 'gemini-api', model: 'gemini-3-pro', body: { contents } }, 0).status,
    ).toBe(400);
  });
});
