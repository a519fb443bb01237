import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { TopDownTruncationStrategy } from '../../src/strategies/top-down-truncation.ts';
import { generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { compressionContext, totalTokens } from './compression-context.ts';
import { ai, call, exchange, human, response, tool } from './conversation.ts';

const compress = async (
  history: readonly IContent[],
  settings: { limit?: number; preserve?: number },
): Promise<IContent[]> =>
  (await new TopDownTruncationStrategy().compress(compressionContext(history, settings))).newHistory;

describe('TopDownTruncationStrategy', () => {
  test('drops the oldest entries until the target is met, human words included (row 13, BR-THRESH-002)', async () => {
    const history = Array.from({ length: 20 }, (_, at) => [human(`question ${at}`), ai(`answer ${at}`)]).flat();
    const limit = totalTokens(history);
    const kept = await compress(history, { limit });
    expect(totalTokens(kept)).toBeLessThanOrEqual(limit * 0.85 * 0.6);
    expect(totalTokens(history.slice(-kept.length - 1))).toBeGreaterThan(limit * 0.85 * 0.6);
    expect(kept).toEqual(history.slice(-kept.length));
  });

  test('is never larger (law 2)', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory(), fc.integer({ min: 0, max: 20_000 }), async (history, limit) => {
        expect(totalTokens(await compress(history, { limit }))).toBeLessThanOrEqual(totalTokens(history));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('drops nothing below the target', async () => {
    const history = [human('a'), ai('b')];
    expect(await compress(history, { limit: 100_000 })).toEqual(history);
  });

  test('drops calls and responses together, parallel ones too (law 1)', async () => {
    const history = [
      human('a'),
      ai(call('1', 'glob', {}), call('2', 'glob', {})),
      tool(response('1', 'glob')),
      tool(response('2', 'glob')),
      human('b'),
      ...exchange('3', 'glob', {}),
    ];
    const target = totalTokens(history.slice(1)) - 1;
    expect(await compress(history, { limit: Math.ceil(target / 0.51), preserve: 0.2 })).toEqual(history.slice(4));
  });

  test('never drops the tail or the last human words, wherever they are (row 13, row 15)', async () => {
    const history = [
      human('first'),
      ai('x'),
      human('last'),
      ...Array.from({ length: 17 }, (_, at) => ai(`step ${at}`)),
    ];
    expect(await compress(history, { limit: 0 })).toEqual([history[2], ...history.slice(-4)]);
  });

  test('responses in a human entry are not the last human words', async () => {
    const history = [human('words'), ai(call('1', 'glob', {})), human(response('1', 'glob')), ai('done')];
    expect(await compress(history, { limit: 0, preserve: 0.25 })).toEqual([history[0], history[3]]);
  });
});
