import { describe, expect, test } from 'vitest';
import type { ApiName } from '../../src/formats/api-path.ts';
import type { Accepted, Said } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const long = (words: number): string => Array.from({ length: words }, (_, at) => `word${at}`).join(' ');
const SAYS: Said = { thinking: 'hm', calls: [{ id: 'c1', name: 'read', input: { path: 'a' } }] };

/** What the provider says to a body; the error's words if it refuses. */
function messageOf(
  api: ApiName,
  body: object,
  { provider = new StrictProvider(), model }: { provider?: StrictProvider; model?: string } = {},
): string {
  const outcome = provider.receive({ api, body, ...(model !== undefined && { model }) }, 0);
  return outcome.status === 200 ? 'accepted' : outcome.message;
}

describe('Chat Completions refuses', () => {
  const model = 'gpt-5.5';
  const calls = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
  };
  const output = { role: 'tool', tool_call_id: 'c1', content: 'text' };
  const start = { role: 'user', content: 'a' };
  test.each<[string, object[], string]>([
    [
      'a call that is not answered at once',
      [start, calls, start, output],
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c1",
    ],
    [
      'an answer without its call',
      [start, output],
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
    ],
    ['no content', [{ role: 'user', content: null }], "Invalid value for 'content': expected a string, got null."],
    ['nothing else', [start, calls, output], 'accepted'],
  ])('%s', (_, messages, message) => {
    expect(messageOf('openai-chat', { model, messages })).toContain(message);
  });
});

describe('the Responses API refuses', () => {
  const model = 'gpt-5.5';
  const start = { role: 'user', content: 'a' };
  const call = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'c1', output: 'text' };
  test.each<[string, object[], string]>([
    ['a call without its output', [start, call], 'No tool output found for function call c1.'],
    ['an output without its call', [start, output], 'No tool call found for function call output with call_id c1.'],
    [
      'reasoning that it did not write',
      [start, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAxx' }, call, output],
      'could not be verified',
    ],
    [
      'reasoning that is not stored',
      [start, { type: 'reasoning', id: 'rs_1', summary: [] }, call, output],
      "Item with id 'rs_1' not found",
    ],
  ])('%s', (_, input, message) => {
    expect(messageOf('openai-responses', { model, input })).toContain(message);
  });

  test('reasoning without what follows it, and the reverse', () => {
    const provider = new StrictProvider();
    const { answer } = provider.receive(
      { api: 'openai-responses', body: { model, input: [start] }, says: SAYS },
      0,
    ) as Accepted;
    const [reasoning, made] = answer as [{ id: string }, { id: string }];
    const send = (input: unknown[]): string => messageOf('openai-responses', { model, input }, { provider });
    expect(send([start, reasoning, made, output])).toBe('accepted');
    expect(send([start, reasoning, start])).toBe(
      `Item '${reasoning.id}' of type 'reasoning' was provided without its required following item.`,
    );
    expect(send([start, made, output])).toBe(
      `Item '${made.id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning.id}'.`,
    );
  });

  test('a history that it does not have', () => {
    expect(messageOf('openai-responses', { model, previous_response_id: 'resp_1', input: 'a' })).toBe(
      "Previous response with id 'resp_1' not found.",
    );
  });
});

describe('a compaction of the Responses API', () => {
  const user = { type: 'message', role: 'user', content: 'go' };
  const trigger = { type: 'compaction_trigger' };

  test('is one sealed item, which is accepted as it is', () => {
    const provider = new StrictProvider();
    const ask = (input: unknown[]) => provider.receive({ api: 'openai-responses', body: { model: 'gpt-5', input } }, 0);
    const compacted = ask([user, trigger]) as Accepted;
    expect(compacted.answer).toEqual([expect.objectContaining({ type: 'compaction' })]);
    expect(ask([...compacted.answer, user]).status).toBe(200);
    const other = { ...(compacted.answer[0] as object), encrypted_content: 'other' };
    expect(ask([other, user])).toMatchObject({
      status: 400,
      message: expect.stringContaining('could not be verified'),
    });
    expect(ask([trigger, user])).toMatchObject({ status: 400, message: expect.stringContaining('final input item') });
  });
});

describe('generateContent refuses', () => {
  const model = 'gemini-3.1-pro-preview';
  const start = { role: 'user', parts: [{ text: 'a' }] };
  const response = { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'x' } } }] };
  const skipped = {
    role: 'model',
    parts: [{ functionCall: { name: 'read', args: {} }, thoughtSignature: 'skip_thought_signature_validator' }],
  };
  const unsigned = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] };
  test.each<[string, object[], string]>([
    [
      'calls without their responses',
      [start, skipped, start],
      'the number of function response parts is equal to the number of function call parts',
    ],
    [
      'responses without calls',
      [start, response],
      'function response turn comes immediately after a function call turn',
    ],
    ['calls at the start', [skipped, response], 'function call turn comes immediately after a user turn'],
    [
      'a call of this turn without its signature',
      [start, unsigned, response],
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:read`, position 1.',
    ],
    [
      'nothing of an earlier turn',
      [start, unsigned, response, { role: 'model', parts: [{ text: 'b' }] }, start],
      'accepted',
    ],
  ])('%s', (_, contents, message) => {
    expect(messageOf('gemini-api', { contents }, { model })).toContain(message);
  });

  test('a foreign signature, and accepts its own', () => {
    const provider = new StrictProvider();
    const { answer } = provider.receive(
      { api: 'gemini-api', body: { contents: [start] }, model, says: SAYS },
      0,
    ) as Accepted;
    expect(messageOf('gemini-api', { contents: [start, ...answer, response] }, { provider, model })).toBe('accepted');
    const foreign = { role: 'model', parts: [{ ...(skipped.parts[0] as object), thoughtSignature: 'abc' }] };
    expect(messageOf('gemini-api', { contents: [start, foreign, response] }, { provider, model })).toBe(
      'Thought signature is not valid.',
    );
  });
});

describe('automatic caches', () => {
  const body = (model: string, ...texts: string[]): object => ({
    model,
    messages: texts.map((content) => ({ role: 'user', content })),
  });
  const tokensOf = (provider: StrictProvider, sent: object, atMs: number): Accepted['tokens'] =>
    (provider.receive({ api: 'openai-chat', body: sent }, atMs) as Accepted).tokens;

  test('read every prefix from 1,024 tokens in steps of 128', () => {
    const provider = new StrictProvider();
    tokensOf(provider, body('gpt-5.5', long(2000), 'a'), 0);
    const { read, written, uncached } = tokensOf(provider, body('gpt-5.5', long(2000), 'b'), 60_000);
    expect(read % 128).toBe(0);
    expect(read).toBeGreaterThan(1024);
    expect({ written, isRest: uncached > 0 && uncached < 200 }).toEqual({ written: 0, isRest: true });
    expect(tokensOf(provider, body('gpt-5.5', 'short'), 0).read).toBe(0);
    expect(tokensOf(provider, body('gpt-5.5', long(2000), 'c'), 10 * 60_000).read).toBe(0);
  });

  test('of GPT-5.6 bill writes, last 30 minutes and find only whole prompts', () => {
    const provider = new StrictProvider();
    const first = tokensOf(provider, body('gpt-5.6-sol', long(2000), 'a'), 0);
    expect(first).toMatchObject({ read: 0, uncached: 0 });
    expect(tokensOf(provider, body('gpt-5.6-sol', long(2000), 'b'), 60_000).read).toBe(0);
    expect(tokensOf(provider, body('gpt-5.6-sol', long(2000), 'a', 'c'), 29 * 60_000).read).toBeGreaterThan(1024);
  });
});
