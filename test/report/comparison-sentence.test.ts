import { expect, test } from 'vitest';
import type { PolicyTotals } from '../../src/lab/totals.ts';
import { comparisonSentence } from '../../src/report/comparison-sentence.ts';
import { CERTIFICATE_RULES, recordOf } from '../../src/strategies/reasons/edit-reason.ts';

const totals = (policy: string, changes: Partial<PolicyTotals> & { edits?: number } = {}): PolicyTotals => ({
  policy,
  sessions: 7,
  calls: 100,
  tokensSent: 1000,
  savedRatio: 0.27,
  tokensPeak: 100,
  compressions: 0,
  compressionsAvoided: 0,
  evidencedEdits: 400,
  regrets: { edit: changes.edits ?? 0, rerun: 0, quotation: 0, name: 0 },
  regretsByRule: recordOf(CERTIFICATE_RULES, () => 0),
  regretsPerMillion: 0,
  pricedSessions: 7,
  dollars: 1 + (changes.dollarsRatio ?? -0.13),
  dollarsRatio: -0.13,
  dollarsHourRatio: 0,
  rebilledTokens: 0,
  unboundThinkingTokens: 0,
  ...changes,
});

const NONE = totals('no-pruning', { savedRatio: 0, dollarsRatio: 0 });
const sentence = (...others: readonly PolicyTotals[]) => comparisonSentence([NONE, ...others]);

test('advises recommended, with its effect and the sessions that it is known from', () => {
  expect(sentence(totals('bold', { dollarsRatio: -0.4 }), totals('recommended'))).toBe(
    'Use `recommended`: 27% fewer tokens of recorded text, 13% cheaper, none of 400 edits regretted in your 7 sessions.',
  );
  expect(sentence(totals('recommended', { edits: 1, savedRatio: 0.031, dollarsRatio: 0 }))).toBe(
    'Use `recommended`: 3.1% fewer tokens of recorded text, at the same cost, 1 of 400 edits regretted in your 7 sessions (at 95% confidence under 1.4%).',
  );
});

test('says also what else needed removed text', () => {
  const regrets = { edit: 0, rerun: 66, quotation: 0, name: 6 };
  expect(sentence({ ...totals('recommended'), regrets })).toMatch(
    / none of 400 edits regretted in your 7 sessions; other uses of removed text: 66 calls made again, 6 names\.$/,
  );
});

test('says when there are too few edits to know', () => {
  expect(sentence(totals('recommended', { evidencedEdits: 5, sessions: 1 }))).toBe(
    'Use `recommended`: 27% fewer tokens of recorded text, 13% cheaper, no edit regretted in your session, but 5 edits are too few to say how safe it is (under 52.2%).',
  );
  expect(sentence(totals('recommended', { evidencedEdits: 0 }))).toContain(
    'and no edit in your 7 sessions could say what is missed later.',
  );
});

test('advises the cheapest of the others where recommended is no good', () => {
  const more = totals('recommended', { dollarsRatio: 0.03 });
  expect(sentence(more, totals('a'), totals('b', { dollarsRatio: -0.2 }))).toMatch(/^Use `b`: /);
});

test('says what is to be accepted where a profile is better in money or room only', () => {
  const regretting = totals('recommended', { edits: 10, evidencedEdits: 817, savedRatio: 0.157, dollarsRatio: -0.087 });
  expect(sentence(regretting)).toBe(
    'Use `recommended` if you accept its regrets: 16% fewer tokens of recorded text, 8.7% cheaper, 10 of 817 edits regretted in your 7 sessions (at 95% confidence under 2.2%).',
  );
  expect(sentence(totals('recommended', { dollarsRatio: 0.031 }), totals('bold', { edits: 53 }))).toBe(
    'Use `recommended` if you accept its cost: 27% fewer tokens of recorded text, 3.1% more expensive, none of 400 edits regretted in your 7 sessions.',
  );
  expect(sentence(totals('bold', { edits: 53, dollarsRatio: 0.031 }))).toMatch(
    /^Use `bold` if you accept its cost and its regrets: /,
  );
});

test('says that nothing is better, and why', () => {
  expect(sentence(totals('recommended', { savedRatio: -0.02, dollarsRatio: 0.031 }))).toBe(
    'Nothing is better than no pruning for your 7 sessions: `recommended` is 3.1% more expensive, with 2.0% more tokens of recorded text.',
  );
  expect(sentence(totals('recommended', { savedRatio: 0, dollarsRatio: 0 }))).toContain(
    '`recommended` changes next to nothing.',
  );
});

test('is silent where only no pruning was compared', () => {
  expect(comparisonSentence([NONE])).toBeUndefined();
});

test('says no cost of sessions whose models have no price', () => {
  expect(sentence(totals('recommended', { pricedSessions: 0, dollars: 0, dollarsRatio: 0 }))).toContain(
    'at a cost that is not known',
  );
});
