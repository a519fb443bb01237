import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { formatNamed } from '../../../src/formats/index.ts';
import { linesOfText } from '../../../src/formats/lines/lines.ts';
import { isRequestFormat, lintRequest } from '../../../src/lab/lint/request-lint.ts';

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
});
