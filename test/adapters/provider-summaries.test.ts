import { expect, test } from 'vitest';
import { prunedSteps } from '../../src/adapters/ai-sdk.ts';
import { prunedInput } from '../../src/adapters/openai-agents.ts';
import { stillClock } from '../still-clock.ts';

stillClock();

const TEXT = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the file with words enough for a note`).join(
  '\n',
);
const ABOVE = /shown above/;

const step = (id: string): object[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: id, toolName: 'Read', input: { file_path: '/b.ts' } }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName: 'Read', output: { type: 'text', value: TEXT } }],
  },
];
const words = (options: object): object => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'b.ts was read.', ...options }],
});

test('messages of the AI SDK: nothing before a summary of the provider counts as shown', async () => {
  const sent = async (said: object): Promise<object[]> => {
    const prune = prunedSteps();
    const messages = [{ role: 'user', content: 'Fix it.' }, ...step('t1'), said, ...step('t2')] as {
      role: string;
      content: unknown;
    }[];
    return (await prune({ messages, model: 'claude-opus-4-6' })).messages ?? messages;
  };
  const summary = words({ providerOptions: { anthropic: { type: 'compaction' } } });
  expect(JSON.stringify((await sent(words({}))).at(-1))).toMatch(ABOVE);
  expect((await sent(summary)).at(-1)).toEqual(step('t2')[1]);
});

test('items of the Agents SDK: nothing before a summary of the provider counts as shown', async () => {
  const call = (callId: string): object[] => [
    { type: 'function_call', callId, name: 'shell', arguments: '{"command":["cat","b.ts"]}' },
    { type: 'function_call_result', callId, name: 'shell', output: { type: 'text', text: TEXT } },
  ];
  const sent = async (...before: object[]): Promise<readonly object[]> => {
    const input = [{ role: 'user', content: 'Fix it.' }, ...call('t1'), ...before, ...call('t2')];
    return (await prunedInput({ model: 'gpt-5.4' })({ modelData: { input }, agent: {}, context: {} })).input;
  };
  expect(JSON.stringify((await sent()).at(-1))).toMatch(ABOVE);
  expect((await sent({ type: 'compaction', encrypted_content: 'sealed' })).at(-1)).toEqual(call('t2')[1]);
});
