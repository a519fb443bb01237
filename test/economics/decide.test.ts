import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costRules } from '../../src/economics/cost-rules.ts';
import { decide } from '../../src/economics/decide.ts';
import type { CostRules, WaitingConversation } from '../../src/economics/decision.ts';
import { furtherCalls } from '../../src/economics/further-calls.ts';

const MINUTE_MS = 60_000;

/** Ten entries of 10,000 tokens after 20,000 constant ones: 120,000 tokens, all sent a minute ago. It grows by 1,000 a call. */
const WARM: WaitingConversation = {
  tokens: Array.from({ length: 10 }, () => 10_000),
  constantTokens: 20_000,
  pendingTokens: 0,
  sentEntries: 10,
  idleMs: MINUTE_MS,
  lastThinkingAt: -1,
  callsMade: 100,
};

const rulesFor = (model: string, more: Partial<CostRules> = {}): CostRules => ({
  ...costRules({ model, callsMade: 10 }),
  furtherCalls: { calls: 20, source: 'this test' },
  ...more,
});

const EARLY = { at: 1, savedTokens: 9_000 };
const LATE = { at: 8, savedTokens: 9_000 };

describe('the decision', () => {
  test.each([
    // rewrites 11,000 tokens: 11,000 × 3.75 − 20,000 × 0.30 now, 9,000 × 0.30 for each of 20 calls, per million
    ['claude-sonnet-4-5', 0.054 - 0.03525],
    // 11,000 × 6.25 − 20,000 × 0.50; 9,000 × 0.50
    ['claude-opus-4-5', 0.09 - 0.05875],
    // writes at the price of input: 11,000 × 5 − 20,000 × 0.50; 9,000 × 0.50
    ['gpt-5.5', 0.09 - 0.045],
    // 11,000 × 5 − 20,000 × 0.40; 9,000 × 0.40
    ['gpt-5.6-sol', 0.072 - 0.047],
    // 11,000 × 2 − 20,000 × 0.20; 9,000 × 0.20
    ['gemini-3.1-pro-preview', 0.036 - 0.018],
  ])('on %s applies a late edit that pays, and not an early one that does not', (model, net) => {
    const decision = decide(WARM, [LATE, EARLY], rulesFor(model));
    expect(decision).toMatchObject({ apply: [LATE], cause: 'pays' });
    expect(decision.expectedNet).toBeCloseTo(net, 10);
    expect(decide(WARM, [EARLY], rulesFor(model))).toMatchObject({ apply: [], cause: 'costs', expectedNet: 0 });
  });

  test('says in one sentence why edits apply or wait', () => {
    const rules = rulesFor('claude-sonnet-4-5');
    expect(decide(WARM, [EARLY, LATE], rules).reason).toBe(
      'applies 1 of 2 edits: 9k tokens less pay for rewriting 11k cached ones after 14 more calls',
    );
    expect(decide(WARM, [EARLY], rules).reason).toBe(
      'waits: 9k tokens would rewrite 81k cached ones; pays after 103 more calls, and only 20 calls can be counted on',
    );
    expect(decide(WARM, [], rules)).toEqual({ apply: [], cause: 'none', reason: 'nothing to remove', expectedNet: 0 });
  });

  test('on a cheap warm prefix needs more calls: 0.05 × input is read twice as cheaply as it was', () => {
    // 10,000 tokens under a suffix of 90,000: (5 × 90,000 − 0.20 × 100,000) / (0.20 × 10,000)
    const edit = { at: 0, savedTokens: 10_000 };
    const { reason } = decide(WARM, [edit], rulesFor('claude-opus-5-5'));
    expect(reason).toContain('pays after 215 more calls');
  });

  test.each([
    ['the cache has expired', { idleMs: 5 * MINUTE_MS }, 'cold'],
    ['nothing was sent yet', { sentEntries: 0, idleMs: undefined }, 'unsent'],
    ['the edits concern only what was never sent', { sentEntries: 1 }, 'unsent'],
  ])('applies everything when %s', (_when, more, cause) => {
    const decision = decide({ ...WARM, ...more }, [EARLY, LATE], rulesFor('claude-sonnet-4-5'));
    expect(decision).toMatchObject({ apply: [EARLY, LATE], cause });
  });

  test('takes an unknown clock for a warm cache, and keeps to the longest lifetime that was asked for', () => {
    const rules = rulesFor('claude-sonnet-4-5');
    expect(decide({ ...WARM, idleMs: undefined }, [EARLY], rules).cause).toBe('costs');
    const hour = { ...rules, lifetimeMs: 60 * MINUTE_MS };
    expect(decide({ ...WARM, idleMs: 59 * MINUTE_MS }, [EARLY], hour).cause).toBe('costs');
    expect(decide({ ...WARM, idleMs: 60 * MINUTE_MS }, [EARLY], hour).cause).toBe('cold');
  });

  test('never changes what stands before bound thinking, even on a cold cache', () => {
    const rules = rulesFor('claude-opus-5-5');
    const cold = { ...WARM, idleMs: 24 * 60 * MINUTE_MS, lastThinkingAt: 5 };
    expect(decide(cold, [EARLY], rules)).toMatchObject({ apply: [], cause: 'bound' });
    expect(decide(cold, [EARLY], rules).reason).toBe('waits: 1 edit would invalidate the thinking of later answers');
    expect(decide(cold, [EARLY, LATE], rules)).toMatchObject({ apply: [LATE], cause: 'cold' });
    expect(decide(cold, [EARLY], rulesFor('claude-opus-5')).cause).toBe('cold');
  });

  test('pays for staying under a price tier', () => {
    const near = { ...WARM, tokens: WARM.tokens.map((tokens) => tokens * 1.75) };
    const edit = { at: 5, savedTokens: 17_000 };
    expect(decide(near, [edit], rulesFor('claude-sonnet-4-5'))).toMatchObject({ apply: [edit], cause: 'tier' });
    // A later Sonnet has no tier.
    expect(decide(near, [edit], rulesFor('claude-sonnet-4-6')).cause).toBe('costs');
  });

  test('pays for postponing a compression that is near, and not for one that it does not postpone', () => {
    const edit = { at: 5, savedTokens: 9_000 };
    const near = rulesFor('claude-sonnet-4-5', { thresholdTokens: 130_000 });
    expect(decide(WARM, [edit], near)).toMatchObject({ apply: [edit], cause: 'room' });
    expect(decide(WARM, [edit], rulesFor('claude-sonnet-4-5', { thresholdTokens: 400_000 })).cause).toBe('costs');
    expect(decide(WARM, [edit], rulesFor('claude-sonnet-4-5', { thresholdTokens: 111_000 })).cause).toBe('costs');
  });
});

describe('for any conversation, the decision', () => {
  const conversations = fc
    .record({
      tokens: fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 40 }),
      constantTokens: fc.integer({ min: 0, max: 30_000 }),
      sent: fc.double({ min: 0, max: 1, noNaN: true }),
      idleMs: fc.option(fc.integer({ min: 0, max: 90 * MINUTE_MS }), { nil: undefined }),
      thinking: fc.double({ min: 0, max: 1, noNaN: true }),
      callsMade: fc.integer({ min: 0, max: 200 }),
      edits: fc.array(
        fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      ),
      model: fc.constantFrom(
        'claude-sonnet-4-5',
        'claude-opus-5-5',
        'gpt-5.5',
        'gpt-5.6-sol',
        'gemini-3.1-pro-preview',
      ),
      thresholdTokens: fc.option(fc.integer({ min: 50_000, max: 900_000 }), { nil: undefined }),
    })
    .map(({ tokens, sent, thinking, edits, model, thresholdTokens, ...rest }) => {
      const saved = new Map(edits.map(([at, ratio]) => [Math.floor(at * tokens.length), ratio]));
      const conversation: WaitingConversation = {
        ...rest,
        tokens,
        pendingTokens: 0,
        sentEntries: Math.floor(sent * tokens.length),
        lastThinkingAt: Math.floor(thinking * tokens.length) - 1,
      };
      const candidates = [...saved].map(([at, ratio]) => ({ at, savedTokens: Math.floor(ratio * tokens[at]!) }));
      return { conversation, candidates, rules: costRules({ model, callsMade: rest.callsMade, thresholdTokens }) };
    });

  test('never expects a loss, and applies the last edits from some entry on', () => {
    fc.assert(
      fc.property(conversations, ({ conversation, candidates, rules }) => {
        const { apply, expectedNet, reason } = decide(conversation, candidates, rules);
        const sorted = [...candidates].sort((one, other) => one.at - other.at);
        expect(expectedNet).toBeGreaterThanOrEqual(0);
        expect(apply).toEqual(sorted.slice(sorted.length - apply.length));
        expect(reason).not.toMatch(/NaN|undefined|Infinity/);
      }),
    );
  });

  test('never changes an entry before bound thinking', () => {
    fc.assert(
      fc.property(conversations, ({ conversation, candidates, rules }) => {
        const { apply } = decide(conversation, candidates, rules);
        if (!rules.cache.bindsThinking) return;
        for (const { at } of apply) expect(at).toBeGreaterThan(conversation.lastThinkingAt);
      }),
    );
  });

  test('expects no less from a cold cache than from a warm one', () => {
    fc.assert(
      fc.property(conversations, ({ conversation, candidates, rules }) => {
        const warm = decide({ ...conversation, idleMs: 0 }, candidates, rules);
        const cold = decide({ ...conversation, idleMs: rules.lifetimeMs }, candidates, rules);
        expect(cold.expectedNet).toBeGreaterThanOrEqual(warm.expectedNet - 1e-9);
      }),
    );
  });
});

describe('the calls that can be counted on', () => {
  const lifetimeMs = 5 * MINUTE_MS;

  test('are those that 19 of 20 recorded sessions of the agent still had, and fewer where the cache expires sooner', () => {
    const five = furtherCalls({ agent: 'codex', callsMade: 5, lifetimeMs });
    const hour = furtherCalls({ agent: 'codex', callsMade: 5, lifetimeMs: 60 * MINUTE_MS });
    expect(five.source).toBe('46 recorded sessions of codex');
    // The third shortest of 46 had 11 calls: six are left, of which each is late with a chance of 3.36%.
    expect(five.calls).toBeCloseTo((1 - 0.9664 ** 6) / 0.0336, 10);
    expect(hour.calls).toBeGreaterThan(five.calls);
  });

  test('leave out the repository of the session that is judged', () => {
    const others = furtherCalls({ agent: 'codex', callsMade: 5, lifetimeMs, exceptRepository: 'entireio/git-sync' });
    expect(others.source).toBe('32 recorded sessions of codex');
  });

  test('come from all agents where there are too few sessions of one', () => {
    expect(furtherCalls({ agent: 'mine', callsMade: 0, lifetimeMs }).source).toBe(
      '138 recorded sessions of all agents',
    );
    expect(furtherCalls({ callsMade: 1000, lifetimeMs })).toEqual({
      calls: 0,
      source: 'no recorded session was as long',
    });
  });
});

test('a lifetime of an hour is written at the price of an hour', () => {
  const written = (lifetimeMs: number): number =>
    costRules({ model: 'claude-sonnet-4-5', callsMade: 1, lifetimeMs }).price.base.write;
  expect([written(5 * 60_000), written(60 * 60_000)]).toEqual([3.75, 6]);
});
