import { describe, expect, test } from 'vitest';
import { budgetOf } from '../../src/gate/budget.ts';
import { CoolDown } from '../../src/gate/compression/cool-down.ts';

describe('the budget of a window (docs/readings.md, row 16)', () => {
  test.each([
    ['a large window keeps 65,536 tokens for the answer and 1,000 in reserve', 1_000_000, undefined, 65_536, 1000],
    ['a small one at most half of itself', 100_000, undefined, 50_000, 1000],
    ['a tiny one also a small reserve', 2_000, undefined, 1_000, 100],
    ['what the caller asks for', 200_000, 8_192, 8_192, 1000],
    ['what the caller asks for, but half at most', 10_000, 9_000, 5_000, 500],
  ])('%s', (_name, contextLimitTokens, completionTokens, completion, margin) => {
    expect(budgetOf({ contextLimitTokens, thresholdRatio: 0.5, completionTokens })).toEqual({
      contextLimitTokens,
      thresholdTokens: contextLimitTokens / 2,
      completionTokens: completion,
      marginTokens: margin,
      hardLimitTokens: contextLimitTokens - completion - margin,
    });
  });
});

describe('the cool-down (docs/readings.md, row 17)', () => {
  /** Number of the next runs that are delayed. */
  const pauseOf = (coolDown: CoolDown): number => {
    let turns = 0;
    while (coolDown.nextTurn() > 0) turns++;
    return turns;
  };

  test('three failures in a row pause for four runs, each further failure for twice as many, up to 64', () => {
    const coolDown = new CoolDown();
    const pauses = Array.from({ length: 8 }, () => {
      coolDown.noteFailure();
      return pauseOf(coolDown);
    });
    expect(pauses).toEqual([0, 0, 4, 8, 16, 32, 64, 64]);
  });

  test('a success resets it', () => {
    const coolDown = new CoolDown();
    for (let failure = 0; failure < 4; failure++) coolDown.noteFailure();
    coolDown.noteSuccess();
    expect(pauseOf(coolDown)).toBe(0);
    for (let failure = 0; failure < 3; failure++) coolDown.noteFailure();
    expect(pauseOf(coolDown)).toBe(4);
  });

  test('reports how many runs are left', () => {
    const coolDown = new CoolDown();
    for (let failure = 0; failure < 3; failure++) coolDown.noteFailure();
    expect([1, 2, 3, 4, 5].map(() => coolDown.nextTurn())).toEqual([4, 3, 2, 1, 0]);
  });
});
