import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/economics/account/cache-account.ts';
import { MISS_CAUSES } from '../../src/economics/cache-miss.ts';
import type { PromptChange } from '../../src/live/contract.ts';
import { type LoggedCall, loggedCall } from '../../src/proxy/call-log.ts';
import type { LedgerNumbers } from '../../src/proxy/ledger/contract.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import { changeSentence } from '../../src/report/account-words.ts';
import { callOf, changeOf, decisionOf, MINUTE_MS } from './live-calls.ts';

function numbersOf(...calls: readonly LoggedCall[]): LedgerNumbers {
  const ledger = new Ledger();
  for (const call of calls) ledger.add(call);
  return ledger.numbers();
}

/** What was not read from the cache, by its causes. */
const causesIn = ({ account }: LedgerNumbers) => MISS_CAUSES.filter((cause) => account[cause] !== undefined);

const READ = 0.3 / 1e6;
const WRITE = 3.75 / 1e6;

describe('tokens that were left out', () => {
  const removed = { savedTokens: 4_000, changed: [changeOf(4_000)], ...decisionOf('pays'), isEpoch: true };

  test('are counted as the provider counted what was added to the conversation', () => {
    const {
      savedTokens,
      net,
      removed: rows,
    } = numbersOf(
      // System prompt and tools are counted in another way than what follows.
      callOf({ prompt: 10_000, report: { sentTokens: 12_000 } }),
      callOf({ minute: 1, prompt: 25_000, cached: 10_000, report: { sentTokens: 22_000 } }),
      callOf({ minute: 2, prompt: 20_000, cached: 10_000, report: { ...removed, sentTokens: 18_000 } }),
    );
    expect(savedTokens).toBe(6_000);
    expect(net).toMatchObject([{ cause: 'pays', savedTokens: 6_000 }]);
    expect(rows).toMatchObject([{ savedTokens: 6_000 }]);
  });

  test('are counted without the form of many small calls', () => {
    // Each call adds 100 tokens of form; what it says is counted 1.5 times as long as it is estimated.
    const added = [50, 3_000, 40, 60, 50, 40, 50, 60, 40, 50];
    const sentTokens = added.map((_, at) => added.slice(0, at + 1).reduce((sum, tokens) => sum + tokens, 12_000));
    const calls = sentTokens.map((sent, at) => {
      const prompt = 10_000 + (sent - 12_000) * 1.5 + (at + 1) * 100;
      return callOf({ minute: at + 1, prompt, report: { sentTokens: sent } });
    });
    const last = { minute: 11, prompt: 16_000, report: { ...removed, sentTokens: 11_440 } };
    const { savedTokens } = numbersOf(
      callOf({ prompt: 10_000, report: { sentTokens: 12_000 } }),
      ...calls,
      callOf(last),
    );
    expect(savedTokens).toBe(6_000);
  });

  test('are counted as the first prompt while nothing was added, as after a restart', () => {
    const { savedTokens } = numbersOf(callOf({ prompt: 30_000, report: { ...removed, sentTokens: 24_000 } }));
    expect(savedTokens).toBe(5_000);
  });

  test('are part of the prompt that a shadow run sent', () => {
    const shadow = { isShadow: true } as const;
    const { savedTokens } = numbersOf(
      callOf({ ...shadow, prompt: 10_000, report: { sentTokens: 10_000 } }),
      callOf({ ...shadow, minute: 1, prompt: 25_000, report: { ...removed, sentTokens: 16_000 } }),
    );
    expect(savedTokens).toBe(6_000);
  });

  test('are as estimated for calls of earlier versions, and for prompts that are no text', () => {
    expect(numbersOf(callOf({ prompt: 30_000, report: removed })).savedTokens).toBe(4_000);
    const pictures = callOf({ prompt: 500_000, report: { ...removed, sentTokens: 20_000 } });
    expect(numbersOf(pictures).savedTokens).toBe(10_000);
  });
});

describe('a ping of ours', () => {
  const ping = (minute: number, cached = 100_000): LoggedCall =>
    callOf({ minute, prompt: cached, cached, ownPing: { lifetimeMs: 5 * MINUTE_MS }, report: { isPing: true } });
  const [first, again] = [callOf({ prompt: 100_000 }), callOf({ minute: 9, prompt: 100_000, cached: 100_000 })];
  const cost = 100_000 * READ;

  test('costs money, and is no call', () => {
    const { calls, net, netDollars, account, conversations } = numbersOf(first, ping(4.75));
    expect(calls).toBe(1);
    expect(net).toMatchObject([{ cause: 'ping', results: 1, savedDollars: 0 }]);
    expect(netDollars).toBeCloseTo(-cost, 12);
    expect(conversations[0]?.netDollars).toBeCloseTo(-cost, 12);
    expect(account.pings?.dollars).toBeCloseTo(cost, 12);
  });

  test('is repaid by the next call, if only the ping kept what that reads', () => {
    const saved = 100_000 * (WRITE - READ);
    const { net, netDollars, dollars } = numbersOf(first, ping(4.75), again);
    expect(net).toMatchObject([{ cause: 'ping', results: 1, savedTokens: 100_000 }]);
    expect(netDollars).toBeCloseTo(saved - cost, 12);
    expect(dollars).toBeCloseTo(100_000 * (WRITE + 2 * READ), 12);
    const repaid = (...calls: readonly LoggedCall[]): number => numbersOf(...calls).net[0]!.savedDollars;
    expect(repaid(first, ping(4.75), { ...again, at: first.at + 4.9 * MINUTE_MS })).toBe(0);
    expect(repaid(first, ping(4.75), { ...again, at: first.at + 10 * MINUTE_MS })).toBe(0);
    expect(repaid(first, ping(4.75), callOf({ minute: 9, prompt: 100_000 }))).toBe(0);
  });

  test('adds nothing to the times that calls waited', () => {
    expect(numbersOf(first, { ...ping(4.75), addedMs: 0 }).medianAddedMs).toBe(1);
  });
});

describe('a ping of the agent', () => {
  const calls = (...pings: readonly LoggedCall[]): LedgerNumbers =>
    numbersOf(callOf({ prompt: 20_000 }), ...pings, callOf({ minute: 8, prompt: 21_000, cached: 20_000 }));
  const pingOf = (cached: number): LoggedCall =>
    callOf({ minute: 4, prompt: 20_000, cached, report: { isPing: true } });

  test('costs money, and is no call', () => {
    const without = calls();
    const numbers = calls(pingOf(20_000));
    expect(numbers.calls).toBe(2);
    expect(numbers.conversations[0]!.calls).toBe(2);
    expect(numbers.dollars).toBeCloseTo(without.dollars + 20_000 * READ, 9);
    expect(numbers.promptTokens).toBe(without.promptTokens + 20_000);
  });

  test('is no miss, also if it writes everything, and renews the clock', () => {
    expect(causesIn(calls(pingOf(0)))).toEqual(causesIn(calls()));
    const late = (...pings: readonly LoggedCall[]) =>
      causesIn(numbersOf(callOf({ prompt: 20_000 }), ...pings, callOf({ minute: 8, prompt: 21_000 })));
    expect(late()).toEqual(['expiry']);
    expect(late(pingOf(20_000))).toEqual(['lost']);
  });

  test('has a row of its own, and the rows sum up to the bill', () => {
    const { account, dollars } = calls(pingOf(20_000));
    expect(account.pings).toEqual({ calls: 1, count: 20_000, dollars: expect.closeTo(20_000 * READ, 9) });
    expect(rowsOf(account).reduce((sum, row) => sum + account[row]!.dollars, 0)).toBeCloseTo(dollars, 9);
  });
});

describe('net money', () => {
  test('of a result that is shortened before it is sent: written once less, then read less with each call', () => {
    const reference = { savedTokens: 4_000, changed: [changeOf(4_000, { kind: 'repeat' })] };
    const { net, netDollars } = numbersOf(
      callOf({ prompt: 20_000 }),
      callOf({ minute: 1, prompt: 22_000, cached: 20_000, report: reference }),
      callOf({ minute: 2, prompt: 23_000, cached: 22_000, report: { savedTokens: 4_000 } }),
    );
    expect(net).toMatchObject([{ cause: 'repeat', results: 1, savedTokens: 8_000, rewriteDollars: 0 }]);
    expect(netDollars).toBeCloseTo(4_000 * (WRITE + READ), 8);
  });

  test('of a removal after the cache expired: the smaller prompt is written, nothing is written twice', () => {
    const numbers = numbersOf(
      callOf({ prompt: 50_000 }),
      callOf({
        minute: 9,
        prompt: 40_000,
        report: { savedTokens: 12_000, isEpoch: true, changed: [changeOf(12_000)], ...decisionOf('cold') },
      }),
    );
    const { net } = numbers;
    expect(net).toMatchObject([{ cause: 'cold', results: 1, rewriteDollars: 0 }]);
    expect(net[0]!.netDollars).toBeCloseTo(12_000 * WRITE, 8);
    expect(causesIn(numbers)).toEqual(['expiry']);
  });

  test('of a removal from a warm prefix: what is written again counts against it, and the sum may be negative', () => {
    const { net, netDollars, account } = numbersOf(
      callOf({ prompt: 50_000 }),
      callOf({
        minute: 1,
        prompt: 41_000,
        cached: 10_000,
        report: { savedTokens: 10_000, isEpoch: true, changed: [changeOf(10_000)], ...decisionOf('pays') },
      }),
    );
    // Without pruning: 50,000 read and 1,000 written. With it: 10,000 read and 31,000 written.
    expect(netDollars).toBeCloseTo(50_000 * READ + 1_000 * WRITE - (10_000 * READ + 31_000 * WRITE), 8);
    expect(netDollars).toBeLessThan(0);
    expect(net).toMatchObject([{ cause: 'pays', netDollars: expect.closeTo(netDollars, 8) }]);
    expect(net[0]!.rewriteDollars).toBeCloseTo(30_000 * (WRITE - READ), 8);
    expect(account.pruned).toEqual({ calls: 1, count: 31_000, dollars: expect.closeTo(31_000 * WRITE, 8) });
  });

  test.each([false, true])('uses no usage that cannot be of the prompt that was sent (shadow run: %s)', (isShadow) => {
    const report = { sentTokens: 9_000, savedTokens: 5_000 };
    const wrong = callOf({ isShadow, prompt: 100, report });
    expect(numbersOf(wrong)).toMatchObject({
      calls: 1,
      promptTokens: 0,
      dollars: 0,
      contradictedCalls: 1,
      account: {},
    });
    const right = callOf({ isShadow, prompt: 9_000, report });
    expect(numbersOf(right)).toMatchObject({ promptTokens: 9_000, contradictedCalls: 0 });
    expect(numbersOf(right, wrong)).toMatchObject({ calls: 2, promptTokens: 9_000, contradictedCalls: 1 });
    const tooLarge = callOf({ isShadow, prompt: 1_000_000_000, report });
    expect(numbersOf(right, tooLarge)).toMatchObject({ promptTokens: 9_000, contradictedCalls: 1 });
  });

  test('compares what was left out only with prompts whose usage is known', () => {
    const report = { sentTokens: 9_000, savedTokens: 5_000 };
    const known = callOf({ prompt: 9_000, report });
    const others = [callOf({ prompt: 100, report }), { ...callOf({ report }), usage: undefined }];
    expect(numbersOf(known, ...others)).toMatchObject({ savedTokens: 15_000, knownSavedTokens: 5_000 });
  });

  test.each([false, true])(
    'counts nothing as read where an agent marks only the start of its prompts, in a shadow run: %s',
    (isShadow) => {
      const saved = { savedTokens: 4_000, changed: [changeOf(4_000, { kind: 'repeat' as const })] };
      const place = { sentTokens: 20_000, unchangedTokens: 12_000 };
      const more = isShadow ? 4_000 : 0;
      const { netDollars } = numbersOf(
        callOf({ isShadow, prompt: 20_000 + more, cached: 5_000, report: { ...saved, ...place } }),
        callOf({ isShadow, minute: 1, prompt: 20_000 + more, cached: 5_000, report: { savedTokens: 4_000, ...place } }),
        // Here the cache has what is before the shortened text, and it.
        callOf({
          isShadow,
          minute: 2,
          prompt: 20_000 + more,
          cached: 16_000,
          report: { savedTokens: 4_000, ...place },
        }),
      );
      expect(netDollars).toBeCloseTo(4_000 * (2 * WRITE + READ), 8);
    },
  );

  test('counts what a lost cache of the provider costs with or without pruning as a loss of neither', () => {
    const { net } = numbersOf(
      callOf({ prompt: 50_000, report: { savedTokens: 5_000, changed: [changeOf(5_000)], ...decisionOf('unsent') } }),
      callOf({ minute: 1, prompt: 51_000, cached: 0, report: { savedTokens: 5_000 } }),
    );
    expect(net[0]!.netDollars).toBeCloseTo(2 * 5_000 * WRITE, 8);
  });

  test('of a price tier: a prompt below it saves the difference of the whole call', () => {
    const { netDollars, dollars } = numbersOf(
      callOf({
        model: 'gpt-5.4',
        prompt: 260_000,
        report: { savedTokens: 20_000, changed: [changeOf(20_000)], ...decisionOf('unsent') },
      }),
    );
    expect(netDollars).toBeGreaterThan(0.9 * dollars);
  });

  test('divides what each call saves among the causes, and what earlier runs decided is a cause of its own', () => {
    const { net, netDollars } = numbersOf(
      callOf({ prompt: 50_000, cached: 49_000, report: { savedTokens: 3_000 } }),
      callOf({
        minute: 1,
        prompt: 51_000,
        cached: 50_000,
        report: { savedTokens: 4_000, changed: [changeOf(1_000, { kind: 'repeat' })] },
      }),
    );
    expect(net.map(({ cause, savedTokens }) => [cause, savedTokens])).toEqual([
      ['repeat', 1_000],
      ['earlier', 6_000],
    ]);
    expect(net.reduce((sum, one) => sum + one.netDollars, 0)).toBeCloseTo(netDollars, 10);
  });

  test('of a refused request that was sent again is that of what was sent', () => {
    const { savedTokens, refused } = numbersOf(callOf({ isResent: true, report: { savedTokens: 900 } }));
    expect([savedTokens, refused]).toEqual([900, 1]);
  });

  test('of a call that failed, and of one that the agent tries again and again, is nothing', () => {
    const ledger = new Ledger();
    const report = { savedTokens: 9_000, changed: [changeOf(9_000)], ...decisionOf('unsent') };
    for (const minute of [0, 1, 2]) ledger.add({ ...callOf({ minute, status: 529, report }), usage: undefined });
    expect(ledger.numbers()).toMatchObject({ savedTokens: 0, netDollars: 0, net: [{ savedTokens: 0 }] });
  });

  test('with --shadow is what it would have been: the bill is that of the originals', () => {
    const shadow = { isShadow: true };
    const numbers = numbersOf(
      callOf({ ...shadow, prompt: 50_000 }),
      callOf({
        ...shadow,
        minute: 1,
        prompt: 51_000,
        cached: 50_000,
        report: { savedTokens: 10_000, isEpoch: true, changed: [changeOf(10_000)], ...decisionOf('pays', 0.05) },
      }),
      callOf({ ...shadow, minute: 2, prompt: 52_000, cached: 51_000, report: { savedTokens: 10_000 } }),
    );
    const { net } = numbers;
    expect(net).toMatchObject([{ cause: 'pays', rewriteDollars: 0.05 }]);
    expect(net[0]!.savedDollars).toBeCloseTo(10_000 * READ, 8);
    expect(causesIn(numbers)).toEqual([]);
  });
});

test('with --shadow, a removal after the cache expired would have been written once less', () => {
  const removed = { savedTokens: 12_000, isEpoch: true, changed: [changeOf(12_000)], ...decisionOf('cold') };
  const { netDollars } = numbersOf(
    callOf({ isShadow: true, prompt: 50_000 }),
    callOf({ isShadow: true, minute: 9, prompt: 52_000, report: removed }),
  );
  expect(netDollars).toBeCloseTo(12_000 * WRITE, 8);
});

test.each([
  ['gpt-5.5', 5_000, 0, 0],
  // Too little was kept to be surely found.
  ['gpt-5.5', 1_200, 0, 1],
  // The provider had it.
  ['gpt-5.5', 5_000, 4_864, 1],
  // Only prefixes that ended a prompt, or a mark, are found again.
  ['gpt-5.6-sol', 5_000, 0, 1],
  ['claude-sonnet-4-5', 5_000, 0, 1],
])(
  'what %s lost by itself is no rewriting: %i tokens before the change, %i read',
  (model, keptTokens, cached, rewrites) => {
    const { decision } = decisionOf('pays');
    const changed = { savedTokens: 12_000, keptTokens };
    const report = {
      savedTokens: 12_000,
      isEpoch: true,
      changed: [changeOf(12_000)],
      decision: { ...decision, changed },
    };
    const numbers = numbersOf(
      callOf({ model, prompt: 50_000 }),
      callOf({ model, minute: 1, prompt: 50_500, cached: 49_920 }),
      callOf({ model, minute: 3, prompt: 40_000, cached, report }),
    );
    expect(numbers.net.filter(({ rewriteDollars }) => rewriteDollars > 0)).toHaveLength(rewrites);
    expect(causesIn(numbers).includes('lost')).toBe(rewrites === 0);
  },
);

test('misses have the reason that is known: another model, a branch, and else the provider', () => {
  const numbers = numbersOf(
    callOf({ prompt: 10_000 }),
    callOf({ minute: 1, model: 'claude-opus-4-5', prompt: 10_000 }),
    callOf({ minute: 2, model: 'claude-opus-4-5', prompt: 10_000, report: { isBranch: true } }),
    callOf({ minute: 3, model: 'claude-opus-4-5', prompt: 10_000 }),
  );
  expect(causesIn(numbers)).toEqual(['modelSwitch', 'history', 'lost']);
});

test('an hour of writes makes the cache last an hour', () => {
  const hour = { promptTokens: 30_000, cachedTokens: 0, writtenTokens: 0, writtenHourTokens: 30_000, outputTokens: 0 };
  expect(causesIn(numbersOf({ ...callOf(), usage: hour }, callOf({ minute: 30, prompt: 30_000 })))).toEqual(['lost']);
});

test.each([
  [true, 'toolWait'],
  [false, 'pause'],
  [undefined, 'expiry'],
] as const)('a cache that expired says in what: the answer before called a tool (%s)', (isToolWait, cause) => {
  const first = callOf({ prompt: 30_000, ...(isToolWait !== undefined && { isToolWait }) });
  const { account, dollars } = numbersOf(first, callOf({ minute: 6, prompt: 31_000 }));
  expect(account).toEqual({
    firstCall: { calls: 1, count: 30_000, dollars: expect.closeTo(30_000 * WRITE, 8) },
    [cause]: { calls: 1, count: 30_000, dollars: expect.closeTo(30_000 * WRITE, 8) },
    newText: { calls: 1, count: 1_000, dollars: expect.closeTo(1_000 * WRITE, 8) },
  });
  expect(dollars).toBeCloseTo(61_000 * WRITE, 8);
});

test('text that was never in the cache is no rewrite: the agent set no mark after it', () => {
  const unmarked = (minute: number, promptTokens: number) => ({
    ...callOf({ minute }),
    usage: { promptTokens, cachedTokens: 10_000, writtenTokens: 0, writtenHourTokens: 0, outputTokens: 0 },
  });
  const { account } = numbersOf(callOf({ prompt: 10_000 }), unmarked(1, 14_000), unmarked(2, 20_000));
  expect(account.uncached).toMatchObject({ calls: 1, count: 4_000 });
  expect(account.newText).toMatchObject({ calls: 2, count: 10_000 });
  expect(account.lost).toBeUndefined();
});

test('what a change cost is summed by what changed', () => {
  const what = '`mcp__github` changed its description';
  const call = (minute: number, changes?: readonly PromptChange[]) =>
    callOf({ minute, prompt: 20_000, cached: changes ? 1_000 : 20_000, ...(changes && { report: { changes } }) });
  const tools = [{ kind: 'tools', what } as const];
  const late = [{ kind: 'history', what: 'a message was inserted', where: '23 messages back' } as const];
  const { changes, account } = numbersOf(call(0), call(1, tools), call(2), call(3, tools), call(4, late));
  expect(changes).toMatchObject([
    { kind: 'tools', what, calls: 2, tokens: 38_000 },
    { ...late[0], calls: 1, tokens: 19_000 },
  ]);
  expect(changes.map(changeSentence)).toEqual([
    `${what} twice: 38.0k tokens written again, $0.14`,
    'a message was inserted 23 messages back: 19.0k tokens written again, $0.071',
  ]);
  expect(account).toMatchObject({ tools: { calls: 2, count: 38_000 }, history: { calls: 1, count: 19_000 } });
});

test('regrets are files, once each; the window is that of the last call; side requests are kept apart', () => {
  const { report: _, ...title } = callOf({ prompt: 900 });
  const { regrets, conversations, medianAddedMs, p99AddedMs, calls } = numbersOf(
    callOf({ report: { neededAgain: ['/a.ts'] }, addedMs: 3 }),
    callOf({ minute: 1, prompt: 64_000, cached: 60_000, report: { neededAgain: ['/a.ts', '/b.ts'] }, addedMs: 5 }),
    { ...title, report: undefined },
    callOf({ isCount: true, report: { isOff: true } }),
  );
  expect(regrets.map(({ file }) => file)).toEqual(['/b.ts', '/a.ts']);
  expect(conversations).toMatchObject([
    { conversation: 'c0ffee00', calls: 2, promptTokens: 64_000, windowTokens: 200_000, isOff: false },
    { conversation: 'beside', calls: 1, isOff: false },
  ]);
  expect([medianAddedMs, p99AddedMs, calls]).toEqual([3, 5, 3]);
});

test('what is kept stays bounded, however long a proxy runs', () => {
  const ledger = new Ledger();
  for (let at = 0; at < 3_000; at++) {
    const changed = [changeOf(100, { reason: `reason ${at}` })];
    ledger.add(callOf({ minute: at / 10, report: { changed, conversation: `conversation-${at % 300}` } }));
  }
  const { removed, conversations, reasons, changedResults } = ledger.numbers();
  expect([removed.length, conversations.length, changedResults]).toEqual([300, 200, 3_000]);
  expect(reasons.length).toBeLessThanOrEqual(2_000);
  expect(Math.max(...conversations.map(({ points }) => points.length))).toBeLessThanOrEqual(400);
});

test('the log names commands and files without the secrets in them', () => {
  const key = 'abcdefghijkl1234'.repeat(3);
  const secret = `Bash curl -H "Authorization: Bearer ${key}"`;
  const changed = [changeOf(1, { what: secret, reason: `word for word the result of the earlier ${secret}` })];
  const given = callOf({ report: { changed } });
  const text = JSON.stringify(loggedCall(given, { agent: 'a', isShadow: false, at: 1 }));
  expect(JSON.stringify(given)).toContain(key);
  expect(text).toContain('Bash curl');
  expect(text).not.toContain('abcdefghijkl');
});

describe('parts of calls without a known price', () => {
  const usage = { promptTokens: 1_000, cachedTokens: 0, writtenTokens: 0, writtenHourTokens: 0, outputTokens: 10 };
  const calls: readonly LoggedCall[] = [
    { ...callOf(), usage: { ...usage, toolUses: { code_execution: 2, web_search: 1 }, service: 'priority' } },
    { ...callOf({ minute: 1 }), usage: { ...usage, toolUses: { code_execution: 3 } } },
  ];
  const parts = [
    { part: 'service', name: 'priority', count: 1 },
    { part: 'serverTools', name: 'code_execution', count: 5 },
  ];

  test('are counted by their names, and the rest of the call is billed', () => {
    const { unpricedParts, unpricedCalls, dollars } = numbersOf(...calls);
    expect(unpricedParts).toEqual(parts);
    expect(unpricedCalls).toBe(0);
    // Input and output at standard prices, and a cent for the search.
    expect(dollars).toBeCloseTo((2 * (1_000 * 3 + 10 * 15)) / 1e6 + 0.01, 12);
  });

  test('are kept where only the sums of calls are', () => {
    const ledger = new Ledger();
    ledger.addSums(numbersOf(...calls));
    ledger.add(calls[1]!);
    expect(ledger.numbers().unpricedParts).toEqual([parts[0], { ...parts[1], count: 8 }]);
  });
});
