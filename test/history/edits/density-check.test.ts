import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairCalls } from '../../../src/content/calls/pairing.ts';
import type { IContent } from '../../../src/content/content.ts';
import { answersEarlier } from '../../../src/history/edits/density-check.ts';
import { answer, call } from '../entries.ts';

/** By the rule of pairing alone. */
const answersByPairing = (history: readonly IContent[], from: number): boolean =>
  pairCalls(history).responses.some(({ entry, call: to }) => entry >= from && to !== undefined && to.entry < from);

test('an answer to a call before a place differs from answers to calls after it', () => {
  expect(answersEarlier([call('a'), answer('a')], 1)).toBe(true);
  expect(answersEarlier([call('a'), call('b'), answer('b')], 1)).toBe(false);
  expect(answersEarlier([call('a'), answer('a'), call('a'), answer('a')], 2)).toBe(false);
  expect(answersEarlier([call('a'), answer('a'), answer('a')], 2)).toBe(true);
  expect(answersEarlier([answer('nobody')], 0)).toBe(false);
});

test('it is what pairing says, for any history and place', () => {
  const entry = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())
    .map(([id, isCall]) => (isCall ? call(id) : answer(id)));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), fc.nat(12), (history, place) => {
      const from = Math.min(place, history.length);
      expect(answersEarlier(history, from)).toBe(answersByPairing(history, from));
    }),
  );
});
