import { describe, expect, test } from 'vitest';
import type { BilledBeside } from '../../src/content/content.ts';
import { callCost } from '../../src/economics/call-parts.ts';

const AT = Date.parse('2026-11-20T12:00:00Z');
const TOKENS = {
  cachedTokens: 0,
  writtenTokens: 0,
  writtenHourTokens: 0,
  uncachedTokens: 1_000_000,
  outputTokens: 100_000,
};

const costOf = (model: string, beside: BilledBeside = {}, atMs = AT, tokens = TOKENS) =>
  callCost({ model, atMs, tokens, beside });

/** How much more a call costs with this beside its tokens. */
const times = (model: string, beside: BilledBeside) => costOf(model, beside).dollars / costOf(model).dollars;

describe('the cost of a call', () => {
  test.each([
    ['claude-opus-4-6', 'fast', 6],
    ['claude-opus-4-8', 'fast', 2],
    ['claude-opus-5-5', 'fast', 2],
    ['claude-fable-5-2', 'fast', 2],
    ['claude-sonnet-5', 'batch', 0.5],
    ['gpt-5.4', 'priority', 2],
    ['gpt-5.5', 'priority', 2.5],
    ['gpt-6.2-sol', 'fast', 2],
    ['gpt-6.2-sol', 'ultrafast', 3],
  ])('of %s with the service %s is %d times as high', (model, service, factor) => {
    expect(times(model, { service })).toBeCloseTo(factor, 10);
  });

  test('with a service that has no known price is the standard one, and says so', () => {
    expect(costOf('claude-opus-4-6', { service: 'priority' })).toMatchObject({
      dollars: 7.5,
      unpriced: [{ part: 'service', name: 'priority', count: 1 }],
    });
  });

  test('in the United States is a tenth higher from Claude 4.6 on', () => {
    expect(times('claude-opus-4-6', { region: 'us' })).toBeCloseTo(1.1, 10);
    expect(times('claude-opus-5-5', { region: 'us', service: 'fast' })).toBeCloseTo(2.2, 10);
    expect(costOf('claude-opus-4-5', { region: 'us' })).toMatchObject({
      dollars: 7.5,
      unpriced: [{ part: 'region', name: 'us', count: 1 }],
    });
  });

  test('has ten dollars for a thousand web searches, nothing for reading a page, and names other tools', () => {
    const toolUses = { web_search: 50, web_fetch: 7, code_execution: 2 };
    const { dollars, parts, unpriced } = costOf('claude-opus-4-6', { toolUses });
    expect(dollars).toBeCloseTo(7.5 + 0.5, 10);
    expect(parts.serverTools).toEqual({ count: 59, dollars: 0.5 });
    expect(unpriced).toEqual([{ part: 'serverTools', name: 'code_execution', count: 2 }]);
    expect(costOf('gpt-5.4', { toolUses: { web_search: 12 } }).unpriced).toEqual([
      { part: 'serverTools', name: 'web_search', count: 12 },
    ]);
  });

  test('has inner calls at the price of their own model', () => {
    const tokens = { ...TOKENS, uncachedTokens: 100_000, outputTokens: 1_000 };
    const innerCalls = [
      { kind: 'compaction', ...tokens },
      { kind: 'advisor_message', model: 'claude-fable-5-1', ...tokens },
      { kind: 'message', model: 'claude-fable-5-1', ...tokens, outputTokens: 0 },
      { kind: 'advisor_message', model: 'no-such-model', ...tokens },
    ];
    const { parts, unpriced } = costOf('claude-opus-4-6', { innerCalls });
    expect(parts.innerCalls?.count).toBe(4);
    expect(parts.innerCalls?.dollars).toBeCloseTo(0.5 + 0.025 + 1 + 0.05, 10);
    // No usage tells if an attempt that was declined before any output is billed.
    expect(unpriced).toEqual([
      { part: 'innerCalls', name: 'message', count: 1 },
      { part: 'innerCalls', name: 'advisor_message', count: 1 },
    ]);
  });

  test.each([
    ['2026-11-20T01:00:00Z', 2],
    ['2026-11-20T03:59:59Z', 2],
    ['2026-11-20T04:00:00Z', 1],
    ['2026-11-20T09:30:00Z', 2],
    ['2026-11-20T10:00:00Z', 1],
    // A Saturday, a holiday, and before there were peak hours.
    ['2026-11-21T02:00:00Z', 1],
    ['2026-10-01T02:00:00Z', 1],
    ['2026-08-13T02:00:00Z', 1],
  ])('of DeepSeek at %s is %d times the one outside of peak hours', (at, factor) => {
    const atMs = Date.parse(at);
    const day = Math.floor(atMs / 86_400_000) * 86_400_000;
    const quiet = costOf('deepseek-v4-pro', {}, day).dollars;
    expect(costOf('deepseek-v4-pro', {}, atMs).dollars / quiet).toBeCloseTo(factor, 10);
  });
});
