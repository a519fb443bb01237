import { createHistoryService, processPool, ThreadPool } from 'high-density';
import { compactMessages, type Message } from 'high-density/compact';
import { describe, expect, test } from 'vitest';
import { messageTokens } from '../../src/compaction/counting/message-counter.ts';

const WORKER = new URL('../../dist/workers/engine.js', import.meta.url);
const MODEL = 'claude-haiku-4-5-20251001';

/** About 250,000 characters, new objects each time: nothing of it was counted before. */
const longList = (): Message[] =>
  Array.from({ length: 50 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `const value${at} = compute(input);\n`.repeat(150) }],
  }));

/** Compacts a long list and returns the tokens that it had, and how much was counted on threads for it. */
async function compacted(pool: ThreadPool): Promise<{ tokens: number | undefined; offloadedBytes: number }> {
  const before = pool.stats().countedBytes;
  const { stats } = await compactMessages(longList(), {
    contextTokenLimit: 20_000,
    summaryModel: MODEL,
    llmClient: { countTokens: () => Number.NaN, summarize: async () => 'The summary.' },
    fileWriter: { write: async () => {} },
  });
  return { tokens: stats?.originalTokenCount, offloadedBytes: pool.stats().countedBytes - before };
}

describe('compactMessages beside histories on threads', () => {
  const options = { workerFile: WORKER, threads: 1, minBytes: 0 };

  test("counts, also what the model is to be sent, on the process's threads, and as this one counts; here when they are closed", async () => {
    const tokens = (await messageTokens(longList(), MODEL)).reduce((sum, each) => sum + each, 0);
    const first = processPool(options);
    const history = createHistoryService();
    const offloaded = await compacted(first);
    expect(offloaded.tokens).toBe(tokens);
    expect(offloaded.offloadedBytes).toBeGreaterThan(200_000);
    history.dispose();
    await first.close();
    expect(await compacted(first)).toEqual({ tokens, offloadedBytes: 0 });

    const second = processPool(options);
    createHistoryService().dispose();
    const again = await compacted(second);
    expect(again.tokens).toBe(tokens);
    expect(again.offloadedBytes).toBeGreaterThan(200_000);
    await second.close();
  });

  test('counts nothing on threads that a caller gave to a history', async () => {
    const pool = new ThreadPool(options);
    const history = createHistoryService({ pool });
    history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Start the threads.' }] });
    await history.waitForTokenUpdates();
    expect(pool.stats().countedBytes).toBeGreaterThan(0);
    expect((await compacted(pool)).offloadedBytes).toBe(0);
    history.dispose();
    await pool.close();
  });
});
