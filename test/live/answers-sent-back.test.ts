import { describe, expect, test } from 'vitest';
import { createPruner } from '../../src/live/pruner.ts';

const NOTE = { internal_chat_message_metadata_passthrough: { turn_id: 't' } };
const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] };
const output = { type: 'function_call_output', call_id: 'c', output: 'text' };

/** The items of an answer as the provider wrote them, and as Codex sends them back. */
const ANSWER = [
  { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed' },
  {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Now.', annotations: [] }],
  },
  { type: 'function_call', id: 'fc', call_id: 'c', name: 'read', arguments: '{}', status: 'completed' },
];
const SENT_BACK = [
  { type: 'reasoning', id: 'rs', summary: [], content: null, encrypted_content: 'sealed', ...NOTE },
  {
    type: 'message',
    role: 'assistant',
    id: 'm',
    content: [{ type: 'output_text', text: 'Now.' }],
    status: 'completed',
    ...NOTE,
  },
  { type: 'function_call', status: 'completed', id: 'fc', name: 'read', arguments: '{}', call_id: 'c', ...NOTE },
];

describe('an answer that an agent sends back', () => {
  const isBranch = async (answer: readonly object[]): Promise<boolean> => {
    const pruner = createPruner({ api: 'openai-responses' });
    const body = (input: readonly object[]) => ({ model: 'gpt-5.4', tools: [{}], prompt_cache_key: 'k', input });
    await pruner.prune({ body: body([user, ...ANSWER, output]) });
    const { report } = await pruner.prune({ body: body([user, ...answer, output, user]) });
    return report.isBranch === true;
  };

  test('in its own form, as Codex does after it has lost its WebSocket, is the same answer', async () => {
    expect(await isBranch(SENT_BACK)).toBe(false);
  });

  test.each([0, 1, 2])('with other words is another one', async (at) => {
    const other = JSON.parse(JSON.stringify(SENT_BACK[at]).replace(/sealed|Now\.|\{\}/, 'other'));
    expect(await isBranch(SENT_BACK.with(at, other))).toBe(true);
  });
});
