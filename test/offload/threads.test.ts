import { createEngine, createHistoryService, type HistoryService, PreSendGate, ThreadPool } from 'high-density';
import { getCompressionStrategy } from 'high-density/strategies';
import { afterAll, describe, expect, test } from 'vitest';
import { builtFile } from '../built-file.ts';
import { CONFIG, engineContract, MODEL } from '../contracts/engine.ts';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because threads run it too.
import { ON_ANOTHER_THREAD, ON_MAIN_THREAD } from '../fixtures/probe.mjs';
import { ai, answer, call, human } from '../history/entries.ts';

const pool = new ThreadPool({ workerFile: await builtFile('test/fixtures/probe-worker.ts'), threads: 2, minBytes: 0 });
afterAll(() => pool.close());

const createHistory = (): HistoryService => createHistoryService({ pool, model: MODEL, detectMutation: true });

engineContract({
  name: 'offloaded',
  createHistory,
  createEngine: (name) => createEngine(name, pool),
  createGate: (history, options) => new PreSendGate(history as HistoryService, options),
  createStrategy: (name) => getCompressionStrategy(name),
  lostThreads: () => pool.stats().lostThreads,
});

describe('where the work is done', () => {
  test('counts and optimises on a thread, and not one byte on the calling one', async () => {
    const history = createHistory();
    history.addAll([human('which thread'), ai('word '.repeat(50_000)), call('a'), answer('a')]);
    await history.waitForTokenUpdates();
    expect(history.getTokensPerEntry()[0]).toBe(ON_ANOTHER_THREAD);
    const strategy = getCompressionStrategy('high-density');
    const { metadata } = await history.engine.optimize(strategy, history.getRawHistory(), CONFIG);
    expect(metadata.recencyPruned).toBe(ON_ANOTHER_THREAD);
    expect(ON_ANOTHER_THREAD).not.toBe(ON_MAIN_THREAD);
    expect(history.engine.stats().bytesCountedByCaller).toBe(0);
    expect(pool.stats().countedBytes).toBeGreaterThan(250_000);
    history.dispose();
  });
});
