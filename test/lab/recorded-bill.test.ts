import { describe, expect, test } from 'vitest';
import { billTotals } from '../../src/cli/commands/bill/bill-totals.ts';
import type { IContent, Usage } from '../../src/content/content.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';
import type { Session } from '../../src/formats/contract.ts';
import { recordedCalls } from '../../src/lab/recorded-bill.ts';
import { ai, human } from '../strategies/conversation.ts';

const MINUTE_MS = 60_000;
const STARTED_AT = Date.parse('2026-11-20');

interface Call {
  readonly minute: number;
  readonly usage: Partial<Usage> & { readonly promptTokens: number };
  readonly model?: string;
}

/** A session with these calls, each after a message at its minute; `null`: the agent compacts its context. */
function sessionOf(...calls: readonly (Call | null)[]): Session {
  const events = calls.flatMap((call): SessionEvent[] => {
    if (call === null) return [{ kind: 'replace' as const, contents: [], by: { kind: 'compaction' } }];
    const asked: IContent = { ...human('go'), metadata: { timestamp: STARTED_AT + call.minute * MINUTE_MS } };
    const usage: Usage = { completionTokens: 0, totalTokens: 0, ...call.usage };
    const answer: IContent = { ...ai('done'), metadata: { model: call.model ?? 'claude-opus-4-5', usage } };
    return [asked, answer].map((content) => ({ kind: 'add' as const, content }));
  });
  return { format: 'claude-code', events, skipped: [] };
}

/** The cause of what each call did not read; `undefined` for a hit. */
const causes = (session: Session) =>
  recordedCalls(session).map(({ misses }) => (typeof misses === 'string' ? misses : misses[0]?.cause));

describe('the bill of recorded calls', () => {
  test('has input, cached input, writes for five minutes and for an hour, and output', () => {
    const usage = {
      promptTokens: 130_000,
      cachedTokens: 100_000,
      writtenTokens: 25_000,
      writtenHourTokens: 10_000,
      completionTokens: 1000,
    };
    const [call] = recordedCalls(sessionOf({ minute: 0, usage }));
    // 100,000 × 0.50 + 15,000 × 6.25 + 10,000 × 10 + 5,000 × 5 + 1,000 × 25, per million
    expect(call!.dollars).toBeCloseTo(0.05 + 0.09375 + 0.1 + 0.025 + 0.025, 10);
    expect(call!.uncachedTokens).toBe(5000);
  });

  test('has the price of the lifetime that each answer tells, and an hour of it for all later misses', () => {
    const wrote = (minute: number, cachedTokens: number, usage: object) => ({
      minute,
      usage: { promptTokens: 100_000, cachedTokens, writtenTokens: 100_000 - cachedTokens, ...usage },
    });
    const calls = recordedCalls(
      sessionOf(
        wrote(0, 0, { writtenHourTokens: 100_000 }),
        wrote(1, 99_500, {}),
        wrote(2, 99_500, { writtenHourTokens: 500 }),
        wrote(30, 0, {}),
        wrote(91, 0, {}),
      ),
    );
    // Reads 0.50, writes 6.25, for an hour 10 dollars per million.
    const each = [1, 0.04975 + 0.003125, 0.04975 + 0.005, 0.625, 0.625];
    for (const [at, dollars] of each.entries()) expect(calls[at]!.dollars).toBeCloseTo(dollars, 10);
    expect(calls.map(({ misses }) => (misses === 'first' ? [] : misses))).toMatchObject([
      [],
      [],
      [],
      [{ cause: 'lost' }],
      [{ cause: 'pause' }],
    ]);
  });

  test('takes what an automatic cache did not have for written, at its price for that', () => {
    const usage = { promptTokens: 100_000, cachedTokens: 90_000 };
    const dollars = (model: string) => recordedCalls(sessionOf({ minute: 0, usage, model }))[0]!.dollars;
    expect(dollars('gpt-5.6-sol')).toBeCloseTo(0.09 * 0.4 + 0.01 * 5, 10);
    expect(dollars('gpt-5.5')).toBeCloseTo(0.09 * 0.5 + 0.01 * 5, 10);
  });

  // Source: https://github.com/anomalyco/opencode/releases/tag/v2.3.2: 14,000 tokens of each step
  test('has text that GPT-6.2 never caches, apart from text that the cache lost', () => {
    const call = (minute: number, model: string) => ({
      minute,
      model,
      usage: {
        promptTokens: 20_000 + minute,
        cachedTokens: minute === 0 ? 0 : 6_000,
        writtenTokens: minute === 0 ? 6_000 : 0,
      },
    });
    const missesOf = (model: string) => recordedCalls(sessionOf(call(0, model), call(1, model))).at(-1)!.misses;
    expect(missesOf('gpt-6.2-sol')).toMatchObject([{ cause: 'uncached', tokens: 14_000 }]);
    expect(missesOf('gpt-6.1-sol')).toMatchObject([{ cause: 'lost', tokens: 14_000 }]);
  });

  test('takes a count of zero written tokens for what it is: a login of ChatGPT writes nothing', () => {
    const usage = { promptTokens: 100_000, cachedTokens: 90_000, writtenTokens: 0 };
    const [call] = recordedCalls(sessionOf({ minute: 0, usage, model: 'gpt-5.6-sol' }));
    expect(call!.dollars).toBeCloseTo(0.09 * 0.4 + 0.01 * 4, 10);
  });

  test('has a call whose provider only compacted the conversation', () => {
    const innerCalls = [
      {
        kind: 'compaction',
        cachedTokens: 0,
        writtenTokens: 0,
        writtenHourTokens: 0,
        uncachedTokens: 100_000,
        outputTokens: 1_000,
      },
    ];
    const [call] = recordedCalls(sessionOf({ minute: 0, usage: { promptTokens: 0, innerCalls } }));
    expect(call!.dollars).toBeCloseTo(0.5 + 0.025, 10);
  });

  test('says what a price tier costs', () => {
    const usage = { promptTokens: 210_000, cachedTokens: 200_000, writtenTokens: 10_000 };
    const [call] = recordedCalls(sessionOf({ minute: 0, usage, model: 'claude-sonnet-4-5' }));
    expect(call!.dollars).toBeCloseTo(0.2 * 0.6 + 0.01 * 7.5, 10);
    expect(call!.tierDollars).toBeCloseTo(call!.dollars / 2, 10);
  });

  const hit = { promptTokens: 50_000, cachedTokens: 49_500 };
  const lost = { promptTokens: 50_000, cachedTokens: 10_000, writtenTokens: 40_000 };

  test.each([
    ['the first call', [{ minute: 0, usage: lost }], ['first']],
    [
      'a hit',
      [
        { minute: 0, usage: hit },
        { minute: 1, usage: hit },
      ],
      ['first', undefined],
    ],
    [
      'a provider that lost its cache',
      [
        { minute: 0, usage: hit },
        { minute: 1, usage: lost },
      ],
      ['first', 'lost'],
    ],
    [
      'a cache of five minutes',
      [
        { minute: 0, usage: hit },
        { minute: 6, usage: lost },
      ],
      ['first', 'pause'],
    ],
    [
      'a cache of an hour',
      [
        { minute: 0, usage: { ...hit, writtenHourTokens: 500, writtenTokens: 500 } },
        { minute: 6, usage: lost },
      ],
      ['first', 'lost'],
    ],
    [
      'another model',
      [
        { minute: 0, usage: hit },
        { minute: 1, usage: lost, model: 'claude-opus-5' },
      ],
      ['first', 'modelSwitch'],
    ],
    ['a compaction', [{ minute: 0, usage: hit }, null, { minute: 1, usage: lost }], ['first', 'compaction']],
  ] satisfies [string, (Call | null)[], unknown[]][])('explains the misses of %s', (_what, calls, expected) => {
    expect(causes(sessionOf(...calls))).toEqual(expected);
  });

  test('tells a changed history from a compaction: one that is recorded, or a new summary', () => {
    const { events, ...session } = sessionOf({ minute: 0, usage: hit }, { minute: 1, usage: lost });
    const [asked, answer, ...rest] = events;
    const [kept] = events.flatMap((event) => (event.kind === 'add' ? [event.content] : []));
    const rebuilt = (...contents: IContent[]): Session => ({
      ...session,
      events: [asked!, answer!, { kind: 'replace', contents }, ...rest],
    });
    expect(causes(rebuilt(kept!, ai('cleared')))).toEqual(['first', 'history']);
    expect(causes(rebuilt(human('other'), ai('cleared')))).toEqual(['first', 'history']);
    expect(causes(rebuilt(kept!, { ...human('summary'), metadata: { isSummary: true } }))).toEqual([
      'first',
      'compaction',
    ]);
    expect(causes(rebuilt(human('start')))).toEqual(['first', 'history']);
    const cleared: Session = {
      ...session,
      events: [asked!, answer!, { kind: 'replace', contents: [kept!], by: { kind: 'clearing' } }, ...rest],
    };
    expect(causes(cleared)).toEqual(['first', 'history']);
  });

  test('says what an hour would have saved of text that is written again after a pause', () => {
    const [, call] = recordedCalls(sessionOf({ minute: 0, usage: hit }, { minute: 10, usage: lost }));
    expect(call!.misses).toEqual([{ cause: 'pause', tokens: 40_000 }]);
    // 40,000 × (6.25 − 0.50). All that was written would have been read, so nothing costs more.
    expect(call!.hourSaving).toBeCloseTo(0.23, 10);
    const [, growing] = recordedCalls(
      sessionOf(
        { minute: 0, usage: hit },
        { minute: 1, usage: { promptTokens: 60_000, cachedTokens: 50_000, writtenTokens: 10_000 } },
      ),
    );
    expect(growing!.hourSaving).toBeCloseTo(-0.01 * (10 - 6.25), 10);
  });

  test('leaves calls without a price out of the dollars, and says so', () => {
    const totals = billTotals(
      recordedCalls(
        sessionOf(
          { minute: 0, usage: hit },
          { minute: 1, usage: hit, model: 'somebody-else' },
          { minute: 2, usage: hit, model: 'sonnet' },
        ),
      ),
    );
    expect(totals).toMatchObject({
      calls: 3,
      promptTokens: 150_000,
      unknown: ['somebody-else'],
      guessed: [['sonnet', 'claude-sonnet-5-5']],
    });
    expect(totals.dollars).toBeCloseTo(0.0495 * 0.5 + 0.0005 * 5 + 0.0495 * 0.1 + 0.0005 * 2.5, 10);
  });

  test('leaves out the calls of a session that this one continues', () => {
    const calls = [0, 1, 2].map((minute) => ({ minute, usage: { promptTokens: 50_000, cachedTokens: 40_000 } }));
    const whole = sessionOf(calls[0]!, null, calls[1]!, calls[2]!);
    const fork = { ...whole, copied: [[0, 5]] } as const;
    expect(recordedCalls(whole).map(({ event }) => event)).toEqual([1, 4, 6]);
    expect(recordedCalls(fork).map(({ event }) => event)).toEqual([6]);
    expect(causes(fork)).toEqual(['first']);
    expect(recordedCalls(fork)[0]!.rebuilt).toBeUndefined();
  });
});
