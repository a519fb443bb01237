import { expect, test } from 'vitest';
import { leftAloneLines } from '../../src/cli/commands/proxy/summary-line.ts';
import type { PruneReport } from '../../src/live/contract.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';

/** The numbers of a conversation whose last call had this report. */
function numbersOf(report: Partial<PruneReport>) {
  const ledger = new Ledger();
  const whole = {
    conversation: 'c1234567890',
    changed: [],
    projected: 0,
    savedTokens: 0,
    sentTokens: 9,
    unchangedTokens: 9,
    isEpoch: false,
    neededAgain: [],
    unknownTools: [],
    sentWhole: [],
    ...report,
  };
  ledger.add({
    at: 1,
    agent: 'claude',
    isShadow: false,
    status: 200,
    isResent: false,
    isCount: false,
    addedMs: 1,
    tookMs: 1,
    model: 'claude-opus-5-5',
    report: whole,
  } as never);
  return ledger.numbers().conversations[0]!;
}

const decision = (cause: string, reason: string): Partial<PruneReport> => ({
  decision: { cause, reason, expectedNet: 0, costNow: 0 } as never,
});

test.each([
  [
    decision('bound', 'waits: removing 12k tokens would invalidate the thinking of later answers'),
    [
      'waits: removing 12k tokens would invalidate the thinking of later answers; `compression.density.thinkingWhenCold` `drop` lets that thinking go, when the cache has expired and you speak',
    ],
  ],
  [decision('costs', 'waits: x'), ['waits: x; no setting changes this: density does it as soon as it pays']],
  [
    decision('unpriced', 'waits: y'),
    ['waits: y; `model-prices` gives its price, `unbound-thinking` says that it binds no thinking'],
  ],
  [decision('cold', 'removes 3k tokens'), []],
  [{}, []],
  [{ isOff: true, ...decision('costs', 'waits: x') }, ['switched off; `density on c1234567` changes that']],
  [
    {
      sentWhole: [
        { kind: 'image/png', tokens: 12_345 },
        { kind: 'mcp_call', tokens: 1_000 },
        { kind: 'shell_call_output', tokens: 999 },
      ],
    },
    ['density cannot shorten these parts of results: image/png (12.3k tokens), mcp_call (1.0k tokens)'],
  ],
  [
    { unknownTools: ['peek', 'poke'] },
    [
      'what these tools make stale is kept, because density does not know them: peek, poke; say what they do in the setting `compression.density.tools`',
    ],
  ],
] as [Partial<PruneReport>, string[]][])(
  'what was left alone, and which setting would change that: %j',
  (report, lines) => {
    expect(leftAloneLines(numbersOf(report))).toEqual(lines);
  },
);

test('a request that took all of the time is named', () => {
  expect(leftAloneLines(numbersOf({ isLate: true }))).toEqual([
    'density had no time to shorten anything new: results of the last call are too long',
  ]);
  expect(leftAloneLines(numbersOf({}))).toEqual([]);
});
