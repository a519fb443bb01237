import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import { recordedCalls } from '../../src/lab/recorded-bill.ts';
import { recordedWarmWorth } from '../../src/lab/recorded-warm.ts';
import { ai, human } from '../strategies/conversation.ts';

const MINUTE_MS = 60_000;

interface Call {
  readonly minute: number;
  readonly cached: number;
  readonly model?: string;
}

/** A session whose calls have prompts of 150,000 tokens, each after a message at its minute. */
const worthOf = (calls: readonly Call[]) => {
  const events = calls.flatMap(({ minute, cached, model = 'claude-opus-5-5' }): SessionEvent[] => {
    const usage = { promptTokens: 150_000, cachedTokens: cached, writtenTokens: 150_000 - cached };
    const answer: IContent = {
      ...ai('done'),
      metadata: { model, usage: { ...usage, completionTokens: 0, totalTokens: 0 } },
    };
    const asked = { ...human('go'), metadata: { timestamp: minute * MINUTE_MS } };
    return [asked, answer].map((content) => ({ kind: 'add' as const, content }));
  });
  return recordedWarmWorth(recordedCalls({ format: 'claude-code', events, skipped: [] }));
};
const busy = (model?: string) =>
  Array.from({ length: 20 }, (_, minute) => ({ minute, cached: minute === 0 ? 0 : 149_500, ...(model && { model }) }));

test('pings would have kept what a pause lost, and cost a read each', () => {
  const worth = worthOf([...busy(), { minute: 26, cached: 0 }])!;
  expect(worth.pings).toBe(1);
  expect(worth.pingDollars).toBeCloseTo(150_000 * 0.2e-6, 9);
  expect(worth.savedDollars).toBeCloseTo(150_000 * 4.8e-6, 9);
  expect(worth.leftOpenDollars).toBeGreaterThan(0);
});

test('nothing is said of a model whose cache is not known to be renewed by a read, or that has no price', () => {
  for (const model of ['gpt-5.5', 'no-such-model'])
    expect(worthOf([...busy(model), { minute: 26, cached: 0, model }])).toBeUndefined();
  // The other model finds nothing, whatever a ping kept.
  expect(worthOf([...busy(), { minute: 26, cached: 0, model: 'claude-opus-5' }])!.savedDollars).toBe(0);
});
