import { expect, test } from 'vitest';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { answer, call, human } from '../history/entries.ts';
import { compressionContext } from '../strategies/compression-context.ts';
import { Loopback } from './loopback.ts';

const CONFIG = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 1,
  workspaceRoot: '/work',
};

/** Nine reads, counted through the protocol. */
async function scene() {
  const pool = new Loopback();
  const engine = new OffloadedEngine({ pool, fallback: new InlineEngine(createExactCounter()) });
  const history = new HistoryService({ engine });
  history.addAll(Array.from({ length: 9 }, (_, id) => [call(`c${id}`), answer(`c${id}`)]).flat());
  await history.waitForTokenUpdates();
  const optimize = () => engine.optimize(getCompressionStrategy('high-density'), history.getRawHistory(), CONFIG);
  return { pool, history, engine, optimize };
}

const CHANGES: readonly { how: string; change: (history: HistoryService) => unknown; code?: string }[] = [
  { how: 'grows', change: (history) => history.add(human('more')) },
  { how: 'is edited', change: (history) => history.pop(), code: 'HISTORY_CHANGED' },
];

test.each(CHANGES)('a result whose history $how before it arrives', async ({ change, code }) => {
  const { pool, history, optimize } = await scene();
  let isChanged = false;
  pool.before = (): void => {
    if (!isChanged) change(history);
    isChanged = true;
  };
  const optimized = optimize();
  if (code !== undefined) await expect(optimized).rejects.toMatchObject({ code });
  else expect((await optimized).replacements.size).toBe(8);
});

test('a compression whose history is edited before a thread gets it is that of the entries it was asked about', async () => {
  const { pool, history, engine } = await scene();
  const strategy = getCompressionStrategy('top-down-truncation');
  const context = compressionContext([...history.getRawHistory()], { limit: 100 });
  const expected = await new InlineEngine(createExactCounter()).compress(strategy, context);
  pool.requests.length = 0;
  const compressed = engine.compress(strategy, context);
  history.clear();
  expect(await compressed).toEqual(expected);
  expect(pool.requests.map(({ task }) => task.kind)).toEqual(['synchronise']);
});

test('the counts of a result are sent with it and are not requested again', async () => {
  const { pool, history, optimize } = await scene();
  const result = await optimize();
  pool.requests.length = 0;
  await history.applyDensityResult(result);
  expect(pool.requests).toEqual([]);
  const running = history.getTotalTokens();
  await history.recalculateTotalTokens();
  expect(history.getTotalTokens()).toBe(running);
});
