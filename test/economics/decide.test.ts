import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PastCall, PastCalls } from '../../src/economics/account/past-calls.ts';
import { savedDollars } from '../../src/economics/account/saved-dollars.ts';
import { costRules } from '../../src/economics/cost-rules.ts';
import { decide } from '../../src/economics/decide.ts';
import type { CostRules, WaitingConversation } from '../../src/economics/decision.ts';
import { furtherCalls } from '../../src/economics/further-calls.ts';
import { SESSION_LENGTHS } from '../../src/economics/session-lengths.ts';

const MINUTE_MS = 60_000;

const ENTRIES = Array.from({ length: 10 }, (_, at) => at);

/** Calls within a second each, whose prompts ended after so many tokens; pruning removed so many from each. */
const callsEndingAt = (ends: readonly number[], removedTokens: number): readonly PastCall[] =>
  ends.map((promptTokens, at) => ({
    promptTokens,
    keptTokens: ends[at - 1] ?? 0,
    idleMs: 1000,
    removedTokens,
  }));

/** Prompts that end after each entry of `WARM`. */
const ENDS = ENTRIES.map((at) => 30_000 + at * 10_000);
/** Pruning has saved so much that no change of `WARM` costs more. */
const RICH = callsEndingAt(ENDS, 1_000_000);

/**
 * Ten entries of 10,000 tokens after 20,000 constant ones: 120,000 tokens, all sent a minute ago, each at the end of a prompt.
 * It grows by 1,000 a call.
 */
const WARM: WaitingConversation = {
  tokens: ENTRIES.map(() => 10_000),
  blocks: ENTRIES.map(() => 1),
  constantTokens: 20_000,
  pendingTokens: 0,
  sentEntries: 10,
  idleMs: MINUTE_MS,
  lastThinkingAt: -1,
  callsMade: 100,
  pastCalls: RICH,
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
    // writes at the price of input, and a hit ends up to 127 tokens before the edit: 11,127 × 5 − 20,127 × 0.50; 9,000 × 0.50
    ['gpt-5.5', 0.09 - 0.0455715],
    // 11,127 × 5 − 20,127 × 0.40; 9,000 × 0.40
    ['gpt-5.6-sol', 0.072 - 0.0475842],
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
      'removes 9k of 18k tokens: that pays for rewriting 11k cached tokens after 14 more calls',
    );
    expect(decide(WARM, [EARLY], rules).reason).toBe(
      'waits: removing 9k tokens would rewrite 81k cached tokens; that pays after 103 more calls, and only 20 calls are expected',
    );
    expect(decide(WARM, [], rules)).toEqual({
      apply: [],
      cause: 'none',
      reason: 'nothing to remove',
      expectedNet: 0,
      costNow: 0,
    });
  });

  test('writes again from the last prompt that ended before the edit and that a mark still finds', () => {
    const rules = rulesFor('claude-sonnet-4-5');
    const rewritten = (conversation: Partial<WaitingConversation>, { model = rules } = {}): string =>
      decide({ ...WARM, ...conversation }, [{ at: 8, savedTokens: 100 }], model).reason.replace(
        /^.* rewrite (\S+) .*$/,
        '$1',
      );
    expect(rewritten({})).toBe('19.9k');
    // The last prompt before it ended at the seventh entry.
    const ended = (...ends: number[]): Partial<WaitingConversation> => ({ pastCalls: callsEndingAt(ends, 1_000_000) });
    expect(rewritten(ended(40_000, 60_000, 80_000, 90_000, 120_000))).toBe('29.9k');
    // 20 blocks after it: only the system prompt is found, by its own mark.
    expect(rewritten({ blocks: ENTRIES.map((at) => (at < 8 ? 1 : 10)) })).toBe('99.9k');
    expect(rewritten({ blocks: ENTRIES.map((at) => (at < 8 ? 1 : 9)) })).toBe('19.9k');
    expect(rewritten({ blocks: ENTRIES.map((at) => (at < 8 ? 1 : 10)) }, { model: rulesFor('gpt-5.5') })).toBe('20k');
  });

  test('writes again also what no prompt read within the lifetime, or what was changed since', () => {
    const rewritten = (pastCalls: readonly PastCall[], model = 'claude-sonnet-4-5', more = {}): string =>
      decide({ ...WARM, pastCalls, ...more }, [{ at: 8, savedTokens: 100 }], rulesFor(model)).reason.replace(
        /^.* rewrite (\S+) .*$/,
        '$1',
      );
    const except = (index: number, change: Partial<PastCall>): readonly PastCall[] =>
      RICH.map((call, at) => (at === index ? { ...call, ...change } : call));
    // The prompts of calls 7, 8 and 9 end at 100,000, 110,000 and 120,000.
    expect(rewritten(RICH)).toBe('19.9k');
    // The cache had expired before that call, or 100,000 were last read so long ago.
    expect(rewritten(except(7, { idleMs: 5 * MINUTE_MS }))).toBe('19.9k');
    expect(rewritten(except(8, { idleMs: 5 * MINUTE_MS }))).toBe('99.9k');
    expect(rewritten(except(9, { idleMs: 3 * MINUTE_MS }))).toBe('19.9k');
    expect(rewritten(except(9, { idleMs: 4 * MINUTE_MS }))).toBe('99.9k');
    expect(rewritten(except(9, { idleMs: 5 * MINUTE_MS }))).toBe('99.9k');
    expect(rewritten(except(9, { idleMs: undefined }))).toBe('99.9k');
    expect(rewritten(RICH, 'claude-sonnet-4-5', { idleMs: undefined })).toBe('99.9k');
    // The last one changed what comes after 60,000.
    expect(rewritten(except(9, { keptTokens: 60_000 }))).toBe('59.9k');
    expect(rewritten(except(9, { keptTokens: 0 }))).toBe('99.9k');
    // Only Claude's system prompt has a mark of its own.
    expect(rewritten([], 'claude-sonnet-4-5')).toBe('99.9k');
    expect(rewritten([], 'gpt-5.6-sol')).toBe('120k');
    expect(rewritten([], 'gpt-5.5')).toBe('20k');
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

  test('applies what makes this call cheaper also if no further call can be expected', () => {
    const last = rulesFor('claude-sonnet-4-5', { furtherCalls: { calls: 0, source: 'this test' } });
    const cold = decide({ ...WARM, idleMs: 5 * MINUTE_MS, pastCalls: [] }, [EARLY, LATE], last);
    expect(cold).toMatchObject({ apply: [EARLY, LATE], cause: 'cold' });
    // 18,000 tokens less are written.
    expect(cold.expectedNet).toBeCloseTo((18_000 * 3.75) / 1e6, 10);
    expect(decide(WARM, [EARLY, LATE], last).reason).toBe(
      'waits: removing 9k tokens would rewrite 11k cached tokens; that pays after 14 more calls, and no further call is expected',
    );
    // 210,000 tokens are above a price tier: of 120,000 below it 110,000 are read for half the price, and 10,000 written.
    const large = { ...WARM, tokens: [...WARM.tokens.slice(0, 9), 100_000] };
    const below = { at: 9, savedTokens: 90_000 };
    expect(decide(large, [below], last)).toMatchObject({ apply: [below], cause: 'pays' });
    expect(decide(large, [below], last).reason).toBe(
      'removes 90k tokens: that pays for rewriting 10k cached tokens at once',
    );
  });

  test('waits until a change returns 1.2 times what it costs', () => {
    // 9,000 × 0.30 a call; 11,000 × 3.75 − 20,000 × 0.30 now.
    const causes = [14, 16].map((calls) => {
      const rules = rulesFor('claude-sonnet-4-5', { furtherCalls: { calls, source: 'this test' } });
      return decide(WARM, [LATE], rules).cause;
    });
    expect(causes).toEqual(['costs', 'pays']);
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
    expect(decide(cold, [EARLY], rules).reason).toBe(
      'waits: removing 9k tokens would invalidate the thinking of later answers',
    );
    expect(decide(cold, [EARLY, LATE], rules)).toMatchObject({ apply: [LATE], cause: 'cold' });
    expect(decide(cold, [{ at: 5, savedTokens: 9_000 }], rules)).toMatchObject({ apply: [], cause: 'bound' });
    expect(decide(cold, [EARLY], rulesFor('claude-opus-5')).cause).toBe('cold');
  });

  test('changes nothing that the cache of a model without a price may have, unless the window is full', () => {
    const rules = (more: Partial<CostRules> = {}): CostRules => ({
      ...costRules({ model: 'somebody-else', callsMade: 10 }),
      ...more,
    });
    expect(decide(WARM, [EARLY, LATE], rules())).toMatchObject({ apply: [], cause: 'unpriced', costNow: 0 });
    expect(decide(WARM, [EARLY, LATE], rules()).reason).toBe(
      'waits: no price of somebody-else is known, and removing 18k tokens may change what its cache has',
    );
    // Longer than most caches live, but not all.
    expect(decide({ ...WARM, idleMs: 23 * 60 * MINUTE_MS }, [EARLY, LATE], rules()).cause).toBe('unpriced');
    const free = [
      decide({ ...WARM, idleMs: 24 * 60 * MINUTE_MS }, [EARLY, LATE], rules()),
      decide({ ...WARM, sentEntries: 0 }, [EARLY, LATE], rules()),
      decide(WARM, [EARLY, LATE], rules({ thresholdTokens: 119_000 })),
    ];
    expect(free.map(({ cause }) => cause)).toEqual(['cold', 'unsent', 'room']);
    // The late edit alone makes room.
    expect(free.map(({ apply }) => apply)).toEqual([[EARLY, LATE], [EARLY, LATE], [LATE]]);
    for (const decision of free) {
      expect(decision).toMatchObject({ expectedNet: 0, costNow: 0 });
      expect(decision.reason).not.toContain('$');
    }
    // What was never sent is in no cache.
    expect(decide({ ...WARM, sentEntries: 8 }, [EARLY, LATE], rules())).toMatchObject({
      apply: [LATE],
      cause: 'unsent',
    });
    // Its thinking counts as bound.
    const thought = { ...WARM, idleMs: 24 * 60 * MINUTE_MS, lastThinkingAt: 9 };
    expect(decide(thought, [EARLY, LATE], rules())).toMatchObject({ apply: [], cause: 'bound' });
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

describe('the account of a conversation', () => {
  const rules = rulesFor('claude-sonnet-4-5', { furtherCalls: { calls: 500, source: 'this test' } });

  test('stops a change that pays if the session goes on, as long as pruning has saved less than it costs', () => {
    // 81,000 × 3.75 − 100,000 × 0.30 per million more now, and nothing was saved.
    const poor = { ...WARM, pastCalls: callsEndingAt(ENDS, 0) };
    expect(decide(poor, [EARLY], rules)).toMatchObject({ apply: [], cause: 'costs', expectedNet: 0 });
    expect(decide(poor, [EARLY], rules).reason).toBe(
      'waits: removing 9k tokens would rewrite 81k cached tokens; that costs $0.28 more now, and pruning has saved $0.000 here so far',
    );
    expect(decide(WARM, [EARLY], rules)).toMatchObject({ apply: [EARLY], cause: 'pays' });
  });

  test('takes the affordable choice if a better one is not', () => {
    const pastCalls = callsEndingAt(ENDS, 30_000);
    expect(decide({ ...WARM, pastCalls }, [EARLY, LATE], rules)).toMatchObject({ apply: [LATE], cause: 'pays' });
  });

  test('does not stop what costs nothing, or what avoids a compression that is due now', () => {
    const poor = { ...WARM, pastCalls: [] };
    expect(decide({ ...poor, idleMs: 5 * MINUTE_MS }, [EARLY], rules).cause).toBe('cold');
    const soon = rulesFor('claude-sonnet-4-5', {
      furtherCalls: { calls: 8, source: 'this test' },
      thresholdTokens: 121_000,
    });
    expect(decide(poor, [EARLY], soon).apply).toEqual([]);
    expect(decide(WARM, [EARLY], soon).apply).toEqual([EARLY]);
    // 120,000 tokens are above it now.
    expect(decide(poor, [EARLY], { ...soon, thresholdTokens: 119_000 })).toMatchObject({
      apply: [EARLY],
      cause: 'room',
    });
  });

  test('counts what pruning cost and saved, and forgets what a rebuild made equal', () => {
    const past = new PastCalls();
    past.sent({ promptTokens: 100_000, idleMs: undefined });
    past.sent({ promptTokens: 90_000, idleMs: MINUTE_MS, pruned: { savedTokens: 10_000, keptTokens: 50_000 } });
    // Written again: 40,000 × 3.75, instead of 100,000 × 0.30 read, of which 50,000 still are.
    const price = (dollars: number): number => dollars / 1e6;
    expect(savedDollars(past.calls, rules)).toBeCloseTo(price(100_000 * 0.3 - 50_000 * 0.3 - 40_000 * 3.75), 10);
    past.sent({ promptTokens: 91_000, idleMs: MINUTE_MS });
    const saved = savedDollars(past.calls, rules);
    expect(saved).toBeCloseTo(price(50_000 * 0.3 - 40_000 * 3.75 + 10_000 * 0.3), 10);
    past.rebuilt();
    past.sent({ promptTokens: 20_000, idleMs: MINUTE_MS });
    expect(savedDollars(past.calls, rules)).toBeCloseTo(saved, 10);
  });

  test('counts for a conversation that goes back only what its start and what is new save', () => {
    const past = new PastCalls();
    const removed = { savedTokens: 20_000, keptTokens: 60_000 };
    past.sent({ promptTokens: 100_000, idleMs: undefined });
    // It goes back by 18,000 tokens, and 20,000 of the rest go. Of 82,000 that would have been read 60,000 are, and 2,000 written.
    past.rebuilt({ tokens: 82_000, unprunedTokens: 82_000 });
    past.sent({ promptTokens: 62_000, idleMs: MINUTE_MS, pruned: removed });
    const saved = (82_000 * 0.3 - 60_000 * 0.3 - 2_000 * 3.75) / 1e6;
    expect(savedDollars(past.calls, rules)).toBeCloseTo(saved, 10);
    // A call that is taken back is one that goes back still.
    past.cut(1);
    past.sent({ promptTokens: 62_000, idleMs: MINUTE_MS, pruned: removed });
    expect(savedDollars(past.calls, rules)).toBeCloseTo(saved, 10);
    past.sent({ promptTokens: 62_000, idleMs: MINUTE_MS });
    expect(savedDollars(past.calls, rules)).toBeCloseTo(saved + (20_000 * 0.3) / 1e6, 10);
  });

  test('never raises the bill, whatever edits wait and whenever the session ends', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            newTokens: fc.integer({ min: 0, max: 20_000 }),
            idleMs: fc.oneof(fc.constant(MINUTE_MS), fc.constant(7 * MINUTE_MS)),
            edits: fc.array(
              fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.double({ min: 0, max: 0.9, noNaN: true })),
              { maxLength: 3 },
            ),
          }),
          { maxLength: 40 },
        ),
        fc.constantFrom('claude-sonnet-4-5', 'claude-opus-5', 'gpt-5.5', 'gpt-5.6-sol'),
        (calls, model) => {
          const costs = rulesFor(model, { furtherCalls: { calls: 100, source: 'this test' } });
          const past = new PastCalls();
          let tokens: number[] = [];
          let sentEntries = 0;
          for (const { newTokens, idleMs, edits } of calls) {
            tokens = [...tokens, newTokens];
            const conversation = {
              ...WARM,
              tokens,
              blocks: tokens.map(() => 1),
              sentEntries,
              idleMs,
              callsMade: past.calls.length,
              pastCalls: past.calls,
            };
            const at = new Map(edits.map(([where, ratio]) => [Math.floor(where * tokens.length), ratio]));
            const waiting = [...at].map(([entry, ratio]) => ({
              at: entry,
              savedTokens: Math.floor(ratio * tokens[entry]!),
            }));
            const { apply, changed } = decide(conversation, waiting, costs);
            for (const edit of apply) tokens[edit.at]! -= edit.savedTokens;
            const promptTokens = tokens.reduce((sum, count) => sum + count, WARM.constantTokens);
            past.sent({ promptTokens, idleMs, pruned: changed });
            sentEntries = tokens.length;
            expect(savedDollars(past.calls, costs)).toBeGreaterThanOrEqual(-1e-9);
          }
        },
      ),
    );
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
        'somebody-else',
      ),
      thresholdTokens: fc.option(fc.integer({ min: 50_000, max: 900_000 }), { nil: undefined }),
    })
    .map(({ tokens, sent, thinking, edits, model, thresholdTokens, ...rest }) => {
      const saved = new Map(edits.map(([at, ratio]) => [Math.floor(at * tokens.length), ratio]));
      const conversation: WaitingConversation = {
        ...rest,
        tokens,
        blocks: tokens.map((_, at) => 1 + (at % 3)),
        pendingTokens: 0,
        pastCalls: RICH,
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

  test('applies all that is not before bound thinking on a cold cache, however long the session was', () => {
    fc.assert(
      fc.property(conversations, ({ conversation, candidates, rules }) => {
        const last = { ...rules, furtherCalls: { calls: 0, source: 'this test' } };
        const { apply } = decide({ ...conversation, idleMs: rules.lifetimeMs }, candidates, last);
        const first = rules.cache.bindsThinking ? conversation.lastThinkingAt + 1 : 0;
        const saves = candidates.filter(({ at, savedTokens }) => at >= first && savedTokens > 0);
        expect(new Set(apply.filter(({ savedTokens }) => savedTokens > 0))).toEqual(new Set(saves));
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

describe('the calls that can be expected', () => {
  const lifetimeMs = 5 * MINUTE_MS;

  test('are what longer recorded sessions of the agent still had on average, and fewer where the cache expires sooner', () => {
    const five = furtherCalls({ agent: 'codex', callsMade: 5, lifetimeMs });
    const hour = furtherCalls({ agent: 'codex', callsMade: 5, lifetimeMs: 60 * MINUTE_MS });
    expect(five.source).toBe('46 recorded sessions of codex');
    const left = SESSION_LENGTHS.filter(({ agent }) => agent === 'codex').flatMap(({ calls }) =>
      calls.map((all) => all - 5),
    );
    // Each call is late with a chance of 3.36%.
    const warm = left.map((calls) => (1 - 0.9664 ** calls) / 0.0336);
    expect(five.calls).toBeCloseTo(warm.reduce((sum, calls) => sum + calls, 0) / left.length, 10);
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

test('a lifetime of an hour is written at the price of an hour, also above a tier', () => {
  const written = (lifetimeMs: number): (number | undefined)[] => {
    const { base, tiers } = costRules({ model: 'claude-sonnet-4-5', callsMade: 1, lifetimeMs }).price;
    return [base.write, tiers?.[0]?.rates.write];
  };
  expect([written(5 * 60_000), written(60 * 60_000)]).toEqual([
    [3.75, 7.5],
    [6, 12],
  ]);
});
