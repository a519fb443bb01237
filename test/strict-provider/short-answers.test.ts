import { describe, expect, test } from 'vitest';
import type { Accepted, Refused, Said } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const MODEL = 'claude-opus-5-5';
const says: Said = {
  thinking: 'I should read the file first.',
  text: 'I read the file now.',
  calls: [{ id: 't1', name: 'Read', input: { path: '/a' } }],
};

const ask = (body: object, betas: readonly string[] = []): Accepted | Refused =>
  new StrictProvider().receive(
    {
      api: 'anthropic-messages',
      body: { model: MODEL, messages: [{ role: 'user', content: 'a' }], ...body },
      says,
      betas,
    },
    0,
  );
const accepted = (body: object): Accepted => {
  const outcome = ask(body);
  if (outcome.status !== 200) throw new Error(outcome.message);
  return outcome;
};

describe('a request for no answer', () => {
  test('gets an answer without content, and pays for no output', () => {
    const { body, tokens, answer } = accepted({ max_tokens: 0 });
    expect(body).toMatchObject({ content: [], stop_reason: 'max_tokens', stop_sequence: null });
    expect(body['usage']).toMatchObject({ input_tokens: tokens.uncached, output_tokens: 0 });
    expect(tokens.output).toBe(0);
    expect(answer).toEqual([{ role: 'assistant', content: [] }]);
  });

  test.each<[string, object]>([
    ['stream', { stream: true }],
    ['thinking.type', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['output_config.format', { output_config: { format: { type: 'json_schema', schema: {} } } }],
    ['tool_choice', { tool_choice: { type: 'any' } }],
    ['tool_choice', { tool_choice: { type: 'tool', name: 'Read' } }],
    ['compaction', { compaction: {} }],
  ])('is refused with %s', (parameter, body) => {
    expect(ask({ max_tokens: 0, ...body })).toMatchObject({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error' } },
      message: expect.stringContaining(parameter),
    });
  });

  test.each<[string, object]>([
    ['adaptive thinking', { thinking: { type: 'adaptive' } }],
    ['effort', { output_config: { effort: 'low' } }],
    ['a free choice of tools', { tool_choice: { type: 'auto' }, stream: false }],
  ])('is accepted with %s', (_, body) => {
    expect(ask({ max_tokens: 0, ...body }).status).toBe(200);
  });
});

describe('a request for one token', () => {
  test('gets the first one of the text', () => {
    const { body, tokens } = accepted({ max_tokens: 1 });
    expect(tokens.output).toBe(1);
    expect(body).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'text', text: 'I' }] });
  });

  test('has no room for a budget of thinking, unless thinking is interleaved', () => {
    const body = { max_tokens: 1, thinking: { type: 'enabled', budget_tokens: 1024 } };
    expect(ask(body)).toMatchObject({
      status: 400,
      message: expect.stringContaining('`max_tokens` must be greater than `thinking.budget_tokens`.'),
    });
    expect(ask(body, ['interleaved-thinking-2025-05-14']).status).toBe(200);
  });
});

describe('a stream that is ended early', () => {
  const request = {
    api: 'anthropic-messages',
    body: { model: MODEL, max_tokens: 1000, stream: true, messages: [{ role: 'user', content: 'a '.repeat(2000) }] },
    says,
  } as const;

  test('costs the prompt, and the output so far', () => {
    const provider = new StrictProvider();
    const whole = provider.receive(request, 0) as Accepted;
    const costs = whole.events.map((_, sent) => provider.endedAfter(request, whole, sent + 1));
    expect(costs[0]!.tokens).toEqual({ ...whole.tokens, output: 1 });
    const outputs = costs.map(({ tokens }) => tokens.output);
    expect(outputs).toEqual([...outputs].sort((one, other) => one - other));
    expect(new Set(outputs).size).toBeGreaterThan(3);
    expect(provider.endedAfter(request, whole, whole.events.length)).toEqual(whole);
    expect(costs[0]!.dollars!).toBeCloseTo(whole.dollars! - ((whole.tokens.output - 1) * 20) / 1e6, 9);
    expect(provider.endedAfter(request, whole, 0).tokens.output).toBe(0);
  });
});
