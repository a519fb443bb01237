import { describe, expect, test } from 'vitest';
import type { LiveApi } from '../../../src/live/contract.ts';
import { type AnswerFacts, factsWith } from '../../../src/proxy/answer/answer-facts.ts';

/** What the events of an answer say together. */
const factsOf = (api: LiveApi, ...events: readonly unknown[]): AnswerFacts =>
  events.reduce<AnswerFacts>((facts, event) => factsWith(facts, api, JSON.stringify(event)), {});

const NOTHING = { promptTokens: 0, cachedTokens: 0, writtenTokens: 0, writtenHourTokens: 0, outputTokens: 0 };

describe('an answer of Anthropic', () => {
  const start = {
    type: 'message_start',
    message: {
      model: 'claude-opus-5-5',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 2_000,
        cache_creation_input_tokens: 300,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
        output_tokens: 1,
        speed: 'fast',
        inference_geo: 'us',
      },
    },
  };
  const counts = { promptTokens: 2_310, cachedTokens: 2_000, writtenTokens: 200, writtenHourTokens: 100 };

  test('has its prompt in the first event of a stream, and its output in the last', () => {
    const end = { type: 'message_delta', usage: { output_tokens: 50 } };
    expect(factsOf('anthropic-messages', start, end)).toEqual({
      model: 'claude-opus-5-5',
      usage: { ...counts, outputTokens: 50, service: 'fast', region: 'us' },
    });
    expect(factsOf('anthropic-messages', start).usage?.outputTokens).toBe(1);
  });

  // Source: https://platform.claude.com/docs/en/build-with-claude/compaction, "Understanding usage"
  test('has the compaction beside its counts, also where the last event of a stream has it', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
      { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
    ];
    const compaction = {
      kind: 'compaction',
      cachedTokens: 0,
      writtenTokens: 0,
      writtenHourTokens: 0,
      uncachedTokens: 180_000,
      outputTokens: 3_500,
    };
    const usage = { ...NOTHING, promptTokens: 23_000, outputTokens: 1_000, innerCalls: [compaction] };
    const whole = { usage: { input_tokens: 23_000, output_tokens: 1_000, iterations } };
    expect(factsOf('anthropic-messages', whole).usage).toEqual(usage);
    const first = { type: 'message_start', message: { usage: { input_tokens: 23_000, output_tokens: 1 } } };
    const last = { type: 'message_delta', usage: { output_tokens: 1_000, iterations } };
    expect(factsOf('anthropic-messages', first, last).usage).toEqual(usage);
  });

  // Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
  test('counts the web searches that the last event has', () => {
    const end = { type: 'message_delta', usage: { output_tokens: 5, server_tool_use: { web_search_requests: 3 } } };
    expect(factsOf('anthropic-messages', start, end).usage?.toolUses).toEqual({ web_search: 3 });
  });

  test('binds thinking if some was dropped for another reason than another model', () => {
    const dropped = (reason: string) => ({ input_transformations: [{ type: 'thinking_dropped', reason }] });
    expect(factsOf('anthropic-messages', dropped('prefix_mismatch')).isBound).toBe(true);
    expect(factsOf('anthropic-messages', dropped('model_binding_mismatch')).isBound).toBeUndefined();
    expect(factsOf('anthropic-messages', { message: dropped('prefix_mismatch') }).isBound).toBe(true);
  });

  test('names its error', () => {
    expect(factsOf('anthropic-messages', { type: 'error', error: { message: 'Overloaded' } })).toEqual({
      error: 'Overloaded',
    });
  });
});

describe('an answer of OpenAI', () => {
  const details = { cached_tokens: 600, cache_write_tokens: 300 };

  test('has its counts in the last event of a stream of Responses, with its service and its web searches', () => {
    const response = {
      model: 'gpt-6.2-sol',
      service_tier: 'priority',
      output: [{ type: 'web_search_call' }, { type: 'message' }, { type: 'web_search_call' }],
      usage: { input_tokens: 1_000, input_tokens_details: details, output_tokens: 40 },
    };
    const facts = factsOf(
      'openai-responses',
      { type: 'response.created', response: { model: 'gpt-6.2-sol', usage: null } },
      { type: 'response.completed', response },
    );
    const counts = { ...NOTHING, promptTokens: 1_000, cachedTokens: 600, writtenTokens: 300, outputTokens: 40 };
    const beside = { service: 'priority', toolUses: { web_search: 2 } };
    expect(facts).toEqual({ model: 'gpt-6.2-sol', usage: { ...counts, ...beside } });
  });

  test('is served in the standard way where it says default or nothing', () => {
    const usage = { prompt_tokens: 1_000, prompt_tokens_details: details, completion_tokens: 40 };
    const counts = { ...NOTHING, promptTokens: 1_000, cachedTokens: 600, writtenTokens: 300, outputTokens: 40 };
    for (const tier of ['default', 'auto', '', null, undefined])
      expect(factsOf('openai-chat', { usage, service_tier: tier }).usage).toEqual(counts);
    expect(factsOf('openai-chat', { usage, service_tier: 'flex' }).usage).toEqual({ ...counts, service: 'flex' });
  });
});

test('An answer of Gemini has its thinking in its output, also inside the envelope of Code Assist', () => {
  const answer = {
    modelVersion: 'gemini-3-pro',
    usageMetadata: {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 20,
    },
  };
  const facts = { model: 'gemini-3-pro', usage: { ...NOTHING, promptTokens: 100, cachedTokens: 60, outputTokens: 27 } };
  expect(factsOf('gemini-api', answer)).toEqual(facts);
  expect(factsOf('gemini-api', { response: answer })).toEqual(facts);
});

test('Text that is no answer, and counts that are no numbers, say nothing', () => {
  expect(factsWith({}, 'openai-chat', '[DONE]')).toEqual({});
  const odd = { usage: { input_tokens: '9', output_tokens: -1, cache_read_input_tokens: 1.5 } };
  expect(factsOf('anthropic-messages', odd).usage).toEqual(NOTHING);
});
