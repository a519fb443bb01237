import { describe, expect, test } from 'vitest';
import { budgetOf } from '../../src/gate/budget.ts';
import { CoolDown } from '../../src/gate/compression/gate-compression.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { DEFAULT_THRESHOLD_RATIO } from '../../src/strategies/threshold.ts';
import { contextLimitOfModel } from '../../src/tokens/models.ts';
import { ai, createHistory, human } from '../history/entries.ts';
import { FakeStrategy } from './fixtures.ts';

describe('the budget of a window (docs/readings.md, row 16)', () => {
  test.each([
    [
      'an unknown model gets 16,384 tokens for the answer and 1,000 in reserve (row 41)',
      'x',
      1_000_000,
      undefined,
      16_384,
      1000,
    ],
    ['a known one its longest answer (row 41)', 'gpt-4.1', 1_000_000, undefined, 32_768, 1000],
    ['a small window keeps at most a tenth of itself (row 41)', 'gpt-4.1', 100_000, undefined, 10_000, 1000],
    ['a tiny one also a small reserve', 'x', 2_000, undefined, 200, 100],
    ['what the caller asks for', 'x', 200_000, 8_192, 8_192, 1000],
    ['what the caller asks for, but half at most', 'x', 10_000, 9_000, 5_000, 500],
  ])('%s', (_name, model, contextLimitTokens, completionTokens, completion, margin) => {
    expect(budgetOf({ contextLimitTokens, thresholdRatio: 0.5, completionTokens, model })).toEqual({
      contextLimitTokens,
      thresholdTokens: contextLimitTokens / 2,
      completionTokens: completion,
      marginTokens: margin,
      hardLimitTokens: contextLimitTokens - completion - margin,
    });
  });
});

describe('the default budget (docs/readings.md, row 41)', () => {
  test.each([
    'gpt-4o',
    'gpt-5',
    'gpt-4',
    'gpt-3.5-turbo',
    'claude-sonnet-4-5',
    'claude-opus-4-7',
    'gemini-2.5-pro',
    'x',
  ])('of %s lets the threshold govern: the limit is not below it', (model) => {
    const contextLimitTokens = contextLimitOfModel(model);
    const budget = budgetOf({ contextLimitTokens, thresholdRatio: DEFAULT_THRESHOLD_RATIO, model });
    expect(budget.hardLimitTokens).toBeGreaterThanOrEqual(Math.floor(budget.thresholdTokens));
  });

  test('a history at 80% of 128,000 tokens is not compressed, one at 86% is', async () => {
    const run = async (share: number): Promise<unknown[]> => {
      const entries = [human('a'.repeat(1000)), ai('b'.repeat(Math.floor(128_000 * share) - 1000))];
      const history = createHistory(entries);
      const strategy = new FakeStrategy();
      strategy.onCompress = ({ history: old }) => old.slice(0, 1);
      const gate = new PreSendGate(history, {
        runtimeContext: { ephemerals: createEphemerals([], { model: 'gpt-4o' }), workspaceRoot: '/work' },
        runtimeState: { model: 'gpt-4o' },
        createStrategy: () => strategy,
      });
      const { compression, enforcement } = await gate.ensureCompressionBeforeSend('p');
      return [compression.kind, enforcement.kind];
    };
    expect(await run(0.8)).toEqual(['not-needed', 'within-limit']);
    expect(await run(0.86)).toEqual(['compressed', 'within-limit']);
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
