import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { checkUsage } from '../../src/lab/comparison.ts';
import { ai, human } from '../strategies/conversation.ts';
import { sessionOf } from './fixture.ts';

const answer = (promptTokens: number, cachedTokens: number): IContent => ({
  ...ai('yes'),
  metadata: { usage: { promptTokens, cachedTokens, completionTokens: 1, totalTokens: promptTokens + 1 } },
});
const OPTIONS = {
  tokensOf: () => 100,
  constantTokens: 2000,
  cache: { lifetimeMs: 300_000, leastTokens: 1024, stepTokens: 1 },
} as const;

describe('the cost model beside recorded usage', () => {
  test('is right where the provider cached what the calls have in common', () => {
    const session = sessionOf(human('a'), answer(2100, 0), human('b'), answer(2300, 2100));
    expect(checkUsage(session, OPTIONS)).toEqual({
      calls: 2,
      promptTokens: { modelled: 4400, recorded: 4400 },
      cachedTokens: { modelled: 2100, recorded: 2100 },
      shareErrors: [0, 0],
    });
  });

  test('reports its error', () => {
    const session = sessionOf(human('a'), answer(2100, 1050), human('b'), answer(2300, 2100));
    expect(checkUsage(session, OPTIONS)?.shareErrors).toEqual([0.5, 0]);
  });

  test('leaves out the calls of a session that this one continues', () => {
    const session = sessionOf(human('a'), answer(2100, 1050), human('b'), answer(2300, 2100));
    expect(checkUsage({ ...session, copied: [[0, 2]] }, OPTIONS)).toEqual({
      calls: 1,
      promptTokens: { modelled: 2300, recorded: 2300 },
      cachedTokens: { modelled: 2100, recorded: 2100 },
      shareErrors: [0],
    });
  });

  test('says nothing where no provider said that it cached', () => {
    expect(checkUsage(sessionOf(human('a'), answer(2100, 0)), OPTIONS)).toBeUndefined();
  });
});
