import { describe, expect, test } from 'vitest';
import type { ComparedFile } from '../../../src/lab/compared-file.ts';
import type { ProfileOutcome } from '../../../src/lab/policy-outcome.ts';
import { TUNE_CANDIDATES, type TuneCandidate } from '../../../src/lab/tune/candidates.ts';
import { dealParts } from '../../../src/lab/tune/parts.ts';
import { tune } from '../../../src/lab/tune/tune.ts';
import { parseSettings } from '../../../src/settings/parse.ts';
import { CERTIFICATE_RULES, recordOf } from '../../../src/strategies/reasons/edit-reason.ts';

interface Did {
  readonly dollars: number;
  readonly sent?: number;
  readonly regretted?: number;
}

const NOTHING = { promptTokens: 0, cachedTokens: 0, writtenTokens: 0, outputTokens: 0, rebilledTokens: 0 };

function outcome(policy: string, { dollars, sent = 1000, regretted = 0 }: Did, evidencedEdits: number): ProfileOutcome {
  const bill = { ...NOTHING, unboundThinkingTokens: 0, dollars };
  const regret = {
    kind: 'edit',
    certainty: 'exact',
    rule: 'staleRead',
    removedAtTurn: 1,
    turn: 2,
    event: 3,
    block: 0,
    tokens: 4,
    missingRatio: 1,
  } as const;
  return {
    policy,
    calls: 10,
    tokensSent: sent,
    tokensPeak: 100,
    compressions: 0,
    optimizations: 0,
    removedTokens: recordOf(CERTIFICATE_RULES, () => 0),
    evidencedEdits,
    regrets: Array.from({ length: regretted }, () => regret),
    lintFindings: [],
    bill,
    billHour: bill,
  };
}

const CANDIDATES: readonly TuneCandidate[] = ['no-pruning', 'recommended', 'bold'].map((name) => ({
  name,
  settings: {},
  differs: name,
}));

/** A session of 200 evidenced edits under the three candidates; no pruning costs $10. */
const session = (name: string, recommended: Did, bold: Did, edits = 200): ComparedFile => ({
  path: name,
  copiedCalls: 0,
  contradicted: [],
  sizeBytes: 1,
  format: 'f',
  model: 'claude-sonnet-4-5',
  outcomes: [
    outcome('no-pruning', { dollars: 10 }, edits),
    outcome('recommended', recommended, edits),
    outcome('bold', bold, edits),
  ],
});

const verdictOf = (files: readonly ComparedFile[], mostRegretted = 0.02) =>
  tune(files, { candidates: CANDIDATES, mostRegretted }).verdict;

/** The first is chosen on, the second checked on. */
const halves = (bold: readonly [Did, Did], recommended: readonly [Did, Did] = [{ dollars: 9 }, { dollars: 9 }]) =>
  [session('a', recommended[0], bold[0]), session('b', recommended[1], bold[1])] as const;

describe('a tuned profile', () => {
  test('is the cheapest one that is better on both parts', () => {
    expect(verdictOf(halves([{ dollars: 7 }, { dollars: 8 }]))).toMatchObject({
      kind: 'better',
      chosen: { name: 'bold', heldOut: { dollars: 8, evidencedEdits: 200, regrettedEdits: 0 } },
    });
  });

  test.each([
    ['was more expensive than no pruning', { dollars: 11 }, 'more expensive'],
    ['was not cheaper than recommended', { dollars: 9.5 }, 'not cheaper'],
    ['regretted more', { dollars: 7, regretted: 1 }, 'regretted more edits'],
  ])('is not saved if it %s on the held-out part', (_what, heldOut, reason) => {
    const verdict = verdictOf(halves([{ dollars: 7 }, heldOut]));
    expect(verdict).toMatchObject({ kind: 'not-confirmed', chosen: { name: 'bold' } });
    expect('reasons' in verdict && verdict.reasons.join()).toContain(reason);
  });

  test('is not saved if its bound on the held-out part is too high', () => {
    const verdict = verdictOf(
      halves([{ dollars: 7 }, { dollars: 7, regretted: 2 }], [{ dollars: 9 }, { dollars: 9, regretted: 2 }]),
    );
    expect(verdict).toMatchObject({ kind: 'not-confirmed', reasons: ['too many edits may be regretted'] });
  });

  test('may cost more than recommended where recommended regrets too much', () => {
    const files = halves(
      [{ dollars: 9.5 }, { dollars: 9.5 }],
      [
        { dollars: 9, regretted: 9 },
        { dollars: 9, regretted: 9 },
      ],
    );
    expect(verdictOf(files)).toMatchObject({ kind: 'better', chosen: { name: 'bold' } });
  });

  test('is recommended if nothing is cheaper, and none if everything regrets too much', () => {
    expect(verdictOf(halves([{ dollars: 9.5 }, { dollars: 5 }])).kind).toBe('recommended');
    const bad = { dollars: 5, regretted: 50 };
    expect(verdictOf(halves([bad, bad], [bad, bad])).kind).toBe('none');
  });

  test('is chosen by tokens where nothing changes the bill', () => {
    const same = { dollars: 10, sent: 900 };
    const smaller = { dollars: 10, sent: 800 };
    expect(verdictOf(halves([smaller, smaller], [same, same])).kind).toBe('better');
  });

  test('needs enough edits on both parts', () => {
    const good = { dollars: 7 };
    expect(verdictOf([session('a', { dollars: 9 }, good), session('b', { dollars: 9 }, good, 10)]).kind).toBe(
      'too-little',
    );
    expect(verdictOf([session('a', { dollars: 9 }, good)]).kind).toBe('too-little');
    expect(verdictOf(halves([good, good]), 0.005).kind).toBe('too-little');
    const { neededEdits } = tune(halves([good, good]), { candidates: CANDIDATES, mostRegretted: 0.01 });
    expect(neededEdits).toBe(368);
  });
});

describe('parts', () => {
  const file = (name: string, project: string, edits: number): ComparedFile => ({
    ...session(name, { dollars: 1 }, { dollars: 1 }, edits),
    project,
  });
  const files = [
    file('a1', 'a', 30),
    file('a2', 'a', 30),
    file('b1', 'b', 50),
    file('c1', 'c', 10),
    file('d1', 'd', 0),
    file('e1', 'e', 0),
  ];
  const edits = (part: readonly ComparedFile[]) => part.reduce((sum, one) => sum + one.outcomes[0]!.evidencedEdits, 0);

  test('keep projects whole and have about as many edits, whatever the order of the files', () => {
    const { by, chosenOn, heldOut } = dealParts(files);
    expect([by, edits(chosenOn), edits(heldOut)]).toEqual(['project', 60, 60]);
    expect(chosenOn.map(({ path }) => path)).toEqual(['a1', 'a2', 'd1']);
    expect(heldOut.length).toBe(3);
    const other = dealParts([...files].reverse());
    const names = (part: readonly ComparedFile[]) => part.map(({ path }) => path).sort();
    expect(names(other.chosenOn)).toEqual(names(chosenOn));
  });

  test('are of single sessions if there are few projects', () => {
    const { by, chosenOn, heldOut } = dealParts(files.slice(0, 3));
    expect([by, chosenOn.length, heldOut.length]).toEqual(['session', 1, 2]);
  });

  test('never divide an empty list', () => {
    expect(dealParts([])).toMatchObject({ chosenOn: [], heldOut: [] });
  });
});

test('candidates have names of their own and settings that a profile may contain', () => {
  expect(new Set(TUNE_CANDIDATES.map(({ name }) => name)).size).toBe(TUNE_CANDIDATES.length);
  expect(new Set(TUNE_CANDIDATES.map(({ settings }) => JSON.stringify(settings))).size).toBe(TUNE_CANDIDATES.length);
  for (const { settings } of TUNE_CANDIDATES) expect(parseSettings({ ...settings })).toEqual(settings);
});
