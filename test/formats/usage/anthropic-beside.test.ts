import { describe, expect, test } from 'vitest';
import { besideOf, withBesideFields } from '../../../src/formats/usage/anthropic-beside.ts';

const counts = (input: number, read: number, written: number, output: number) => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
  output_tokens: output,
});
const inner = (kind: string, uncachedTokens: number, outputTokens: number, more: object = {}) => ({
  kind,
  cachedTokens: 0,
  writtenTokens: 0,
  writtenHourTokens: 0,
  uncachedTokens,
  outputTokens,
  ...more,
});

describe('what the usage of Anthropic has beside its counts', () => {
  // Source: https://platform.claude.com/docs/en/build-with-claude/compaction, "Understanding usage"
  test('a compaction on the server is in no count', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
      { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
    ];
    expect(besideOf({ input_tokens: 23_000, output_tokens: 1_000, iterations })).toEqual({
      innerCalls: [inner('compaction', 180_000, 3_500)],
    });
  });

  test('an advisor is in no count, and the attempts around it are', () => {
    const usage = counts(4, 543_544, 8_131, 900);
    const iterations = [
      { type: 'message', ...counts(2, 270_024, 3_496, 400) },
      { type: 'advisor_message', model: 'claude-fable-5-1', ...counts(235_169, 0, 0, 700) },
      { type: 'message', ...counts(2, 273_520, 4_635, 500) },
    ];
    expect(besideOf({ ...usage, iterations })).toEqual({
      innerCalls: [inner('advisor_message', 235_169, 700, { model: 'claude-fable-5-1' })],
    });
    // Some answers count only the last attempt.
    expect(besideOf({ ...counts(2, 273_520, 4_635, 500), iterations }).innerCalls).toMatchObject([
      { kind: 'message', cachedTokens: 270_024, writtenTokens: 3_496 },
      { kind: 'advisor_message' },
    ]);
  });

  // Source: https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback, "Billing and rate limits"
  test('the counts are of the attempt that answered, not of those that were declined', () => {
    const usage = counts(500, 0, 0, 90);
    const iterations = [
      { type: 'message', model: 'claude-fable-5-2', ...counts(500, 0, 0, 12) },
      { type: 'fallback_message', model: 'claude-opus-5-5', ...usage },
    ];
    expect(besideOf({ ...usage, iterations })).toEqual({
      innerCalls: [inner('message', 500, 12, { model: 'claude-fable-5-2' })],
    });
  });

  test('one attempt that is the whole call adds nothing, as in each recorded call of Claude Code 2.1', () => {
    const usage = counts(3, 120_000, 800, 250);
    const iterations = [{ type: 'message', ...usage, cache_creation: { ephemeral_1h_input_tokens: 800 } }];
    const standard = { speed: 'standard', service_tier: 'standard', inference_geo: 'not_available' };
    const server_tool_use = { web_search_requests: 0, web_fetch_requests: 0 };
    expect(besideOf({ ...usage, ...standard, server_tool_use, iterations })).toEqual({});
    expect(besideOf({ ...usage, speed: null, service_tier: null, inference_geo: null, iterations: null })).toEqual({});
  });

  test('reads services, regions and tools of the provider, and writes what it reads', () => {
    const usage = counts(10, 20, 30, 40);
    const beside = {
      service: 'fast',
      region: 'us',
      toolUses: { web_search: 3, code_execution: 1 },
      innerCalls: [
        inner('compaction', 9_000, 80, { writtenTokens: 5, writtenHourTokens: 7 }),
        inner('message', 10, 4, { model: 'claude-fable-5-2' }),
      ],
    };
    const written = withBesideFields(usage, beside);
    expect(written).toMatchObject({ ...usage, speed: 'fast', inference_geo: 'us' });
    expect(besideOf(written)).toEqual(beside);
    expect(besideOf(withBesideFields(usage, { service: 'batch' }))).toEqual({ service: 'batch' });
    expect(withBesideFields(usage, {})).toEqual(usage);
  });
});
