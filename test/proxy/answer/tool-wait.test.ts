import { describe, expect, test } from 'vitest';
import type { LiveApi } from '../../../src/live/contract.ts';
import { answerCopy } from '../../../src/proxy/answer/answer-copy.ts';
import { CopyRoom } from '../../../src/proxy/answer/copy-room.ts';

type Event = Readonly<Record<string, unknown>>;

async function read(api: LiveApi, type: string, parts: readonly string[]) {
  const copy = answerCopy(api, { type, encoding: '', room: new CopyRoom() });
  for (const part of parts) copy.write(Buffer.from(part));
  return copy.end();
}

const lines = (events: readonly Event[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
const streamed = (api: LiveApi, events: readonly Event[]) => read(api, 'text/event-stream', lines(events));
const whole = (api: LiveApi, answer: Event) => read(api, 'application/json', [JSON.stringify(answer)]);

const messages = (stop_reason: string): Event[] => [
  { type: 'message_start', message: { model: 'm', stop_reason: null, usage: { input_tokens: 3, output_tokens: 1 } } },
  { type: 'content_block_delta', delta: { type: 'text_delta', text: 'stop_reason: tool_use' } },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } },
];
const message = (stop_reason: string): Event => ({
  model: 'm',
  content: [],
  stop_reason,
  usage: { input_tokens: 3, output_tokens: 9 },
});

const CALL = { type: 'function_call', id: 'fc', call_id: 'c', name: 'read', arguments: '' };
const SEARCH = { type: 'web_search_call', id: 'ws', status: 'completed' };
const WORDS = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a call_id' }] };
const responses = (item: Event, output: readonly Event[] = []): Event[] => [
  { type: 'response.created', response: { id: 'r', model: 'm', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item },
  { type: 'response.function_call_arguments.delta', item_id: 'fc', delta: '{}' },
  {
    type: 'response.completed',
    response: { id: 'r', model: 'm', output, usage: { input_tokens: 3, output_tokens: 9 } },
  },
];

const chunk = (choice: Event, rest: Event = {}): Event => ({ model: 'm', choices: [choice], ...rest });
const CHAT_CALL = [{ index: 0, id: 'c', type: 'function', function: { name: 'read', arguments: '' } }];
const CHAT_USAGE = { usage: { prompt_tokens: 3, completion_tokens: 9 } };
const chat = (delta: Event, finish_reason: string): Event[] => [
  chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
  chunk({ delta, finish_reason: null }),
  chunk({ delta: {}, finish_reason }),
  { model: 'm', choices: [], ...CHAT_USAGE },
];

const GEMINI_USAGE = { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 9 }, modelVersion: 'm' };
const gemini = (part: Event, rest: Event = {}): Event => ({
  candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
  modelVersion: 'm',
  ...rest,
});

describe('an answer that calls a tool of the agent is no end of the turn', () => {
  test.each<[string, LiveApi, readonly Event[], true | undefined]>([
    ['a tool', 'anthropic-messages', messages('tool_use'), true],
    ['a turn of the provider that goes on', 'anthropic-messages', messages('pause_turn'), true],
    ['an end', 'anthropic-messages', messages('end_turn'), undefined],
    ['a limit', 'anthropic-messages', messages('max_tokens'), undefined],
    ['a function', 'openai-responses', responses(CALL, [CALL]), true],
    ['a function that the end does not list', 'openai-responses', responses(CALL), true],
    ['a free form', 'openai-responses', responses({ ...CALL, type: 'custom_tool_call' }), true],
    ['a tool of the provider', 'openai-responses', responses(SEARCH, [SEARCH]), undefined],
    ['words', 'openai-responses', responses(WORDS, [WORDS]), undefined],
    ['a function', 'openai-chat', chat({ tool_calls: CHAT_CALL }, 'tool_calls'), true],
    ['a function of a provider that says `stop`', 'openai-chat', chat({ tool_calls: CHAT_CALL }, 'stop'), true],
    ['a function of the old kind', 'openai-chat', chat({ function_call: { name: 'f' } }, 'function_call'), true],
    ['words', 'openai-chat', chat({ content: 'a tool_call' }, 'stop'), undefined],
    ['no function', 'openai-chat', chat({ content: '', tool_calls: [] }, 'stop'), undefined],
    ['a function', 'gemini-api', [gemini({ functionCall: { name: 'f' } }), gemini({ text: '' }, GEMINI_USAGE)], true],
    ['words', 'gemini-api', [gemini({ text: 'a functionCall' }, GEMINI_USAGE)], undefined],
    ['a function of Code Assist', 'gemini-api', [{ response: gemini({ functionCall: {} }, GEMINI_USAGE) }], true],
  ])('%s of %s, as a stream', async (_, api, events, isToolWait) => {
    const facts = await streamed(api, events);
    expect(facts.isToolWait).toBe(isToolWait);
    expect(facts.usage).toMatchObject({ promptTokens: 3, outputTokens: 9 });
  });

  test.each<[string, LiveApi, Event, true | undefined]>([
    ['a tool', 'anthropic-messages', message('tool_use'), true],
    ['an end', 'anthropic-messages', message('end_turn'), undefined],
    ['a function', 'openai-responses', { model: 'm', output: [WORDS, CALL], usage: { input_tokens: 3 } }, true],
    [
      'a tool of the provider',
      'openai-responses',
      { model: 'm', output: [SEARCH], usage: { input_tokens: 3 } },
      undefined,
    ],
    [
      'a function',
      'openai-chat',
      chunk({ message: { tool_calls: CHAT_CALL }, finish_reason: 'stop' }, CHAT_USAGE),
      true,
    ],
    ['words', 'openai-chat', chunk({ message: { content: 'no' }, finish_reason: 'stop' }, CHAT_USAGE), undefined],
    ['a function', 'gemini-api', gemini({ functionCall: { name: 'f' } }, GEMINI_USAGE), true],
  ])('%s of %s, as one text', async (_, api, answer, isToolWait) => {
    const facts = await whole(api, answer);
    expect(facts.isToolWait).toBe(isToolWait);
    expect(facts.usage?.promptTokens).toBe(3);
  });
});

test('a stream says that it calls a tool wherever it is cut', async () => {
  const bytes = lines(responses(CALL)).join('');
  for (let at = 0; at <= bytes.length; at++) {
    const parts = [bytes.slice(0, at), bytes.slice(at)];
    expect((await read('openai-responses', 'text/event-stream', parts)).isToolWait, `cut at ${at}`).toBe(true);
  }
});
