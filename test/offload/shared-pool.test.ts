import { createHistoryService, type EngineProgress, type HistoryService, ThreadPool } from 'high-density';
import { afterEach, describe, expect, test } from 'vitest';
import { countOnThread } from '../../src/offload/count-on-thread.ts';
import { ReplicaLink } from '../../src/offload/replica-link.ts';
import { MODEL, tokensOf } from '../contracts/engine.ts';
import { ai, human } from '../history/entries.ts';

const WORKER = new URL('../../dist/workers/engine.js', import.meta.url);
const pools: ThreadPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function createPool(options: object = {}): ThreadPool {
  const pool = new ThreadPool({ workerFile: WORKER, threads: 1, minBytes: 0, ...options });
  pools.push(pool);
  return pool;
}
const createHistory = (pool: ThreadPool): HistoryService => createHistoryService({ pool, model: MODEL });
const lines = (count: number): string => 'const value = compute(input);\n'.repeat(count);
const degradations = (history: HistoryService): string[] => {
  const reasons: string[] = [];
  history.on('engineDegraded', ({ reason }) => reasons.push(reason.message));
  return reasons;
};

describe('a pool that many histories share', () => {
  test('one of ten histories with ten times the work does not let the others wait for all of it', async () => {
    const pool = createPool();
    const finished: string[] = [];
    const work = async (name: string, entries: number): Promise<void> => {
      const history = createHistory(pool);
      history.addAll(Array.from({ length: entries }, () => human(lines(700))));
      await history.waitForTokenUpdates();
      finished.push(name);
      history.dispose();
    };
    await Promise.all([work('large', 1_000), ...Array.from({ length: 9 }, (_, index) => work(`small ${index}`, 100))]);
    expect(finished).toHaveLength(10);
    expect(finished.at(-1)).toBe('large');
  });

  test('of ten histories one with ten times the work at most doubles what the others wait for, at the 99th percentile', async () => {
    // Waiting is measured in what the one thread counted meanwhile: no machine is too slow or too busy for that.
    const turn = (times: number) => Array.from({ length: 3 * times }, () => human(lines(140)));
    const waits = async (heavyTimes: number): Promise<number> => {
      const pool = createPool();
      const waited: number[] = [];
      const work = async (times: number, heard?: number[]): Promise<void> => {
        const history = createHistory(pool);
        let countedAt = 0;
        history.on('tokensUpdated', () => {
          countedAt = pool.stats().countedBytes;
        });
        for (let round = 0; round < 30; round++) {
          const askedAt = pool.stats().countedBytes;
          history.addAll(turn(times));
          await history.waitForTokenUpdates();
          heard?.push(countedAt - askedAt);
        }
      };
      const heavy = heavyTimes > 0 ? [work(heavyTimes)] : [];
      await Promise.all([...heavy, ...Array.from({ length: 9 }, () => work(1, waited))]);
      return waited.sort((one, other) => one - other)[Math.floor(0.99 * waited.length)]!;
    };
    // Without the tenth, a history waits for the round that it came into and for its own. How often it takes both
    // is chance, so the doubling is of these two rounds, not of what one run of nine happened to wait.
    const twoRounds = 2 * 9 * turn(1).length * lines(140).length;
    const alone = await waits(0);
    expect(alone).toBeGreaterThan(0);
    expect(alone).toBeLessThanOrEqual(twoRounds);
    expect(await waits(10)).toBeLessThanOrEqual(2 * twoRounds);
  });

  test('keeps replicas within their budget, and sends those again that went', async () => {
    const budgetBytes = 1_000_000;
    const pool = createPool({ replicaBudgetBytes: budgetBytes });
    const text = lines(10_000);
    const histories = Array.from({ length: 6 }, () => createHistory(pool));
    for (const round of [1, 2]) {
      for (const history of histories) {
        history.add(human(text));
        await history.waitForTokenUpdates();
        expect(history.getTotalTokens()).toBe(round * tokensOf([human(text)]));
        expect(pool.stats().replicaBytes).toBeLessThanOrEqual(budgetBytes);
      }
    }
    const resyncs = histories.map((history) => history.engine.stats().resyncs);
    expect(resyncs).toEqual([1, 1, 1, 1, 1, 1]);
    expect(histories.map((history) => history.engine.stats().bytesCountedByCaller)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('sends each history once while all of them fit', async () => {
    const pool = createPool();
    const histories = Array.from({ length: 30 }, () => createHistory(pool));
    for (let round = 0; round < 3; round++) {
      for (const history of histories) history.addAll([human('again'), ai(lines(20))]);
      await Promise.all(histories.map((history) => history.waitForTokenUpdates()));
    }
    for (const history of histories) {
      const { resyncs, sentBytes, hits, requests } = history.engine.stats();
      expect(resyncs).toBe(0);
      expect(hits).toBe(requests - 1);
      expect(sentBytes).toBeLessThan(3 * (lines(20).length + 2_000));
    }
    expect(pool.stats()).toMatchObject({ threads: 1, lostThreads: 0, queueDepth: 0, replicas: 30 });
  });

  test('forgets a history that is disposed', async () => {
    const pool = createPool();
    const one = createHistory(pool);
    const other = createHistory(pool);
    for (const history of [one, other]) history.add(human(lines(100)));
    await Promise.all([one.waitForTokenUpdates(), other.waitForTokenUpdates()]);
    const { replicaBytes } = pool.stats();
    await one.engine.dispose();
    expect(pool.stats()).toMatchObject({ replicas: 1, replicaBytes: replicaBytes / 2 });
  });

  test('refuses what is too much: that work is done inline, with a notice, and the queue does not grow', async () => {
    const pool = createPool({ mostWaiting: 2 });
    const histories = Array.from({ length: 12 }, () => createHistory(pool));
    const reasons = histories.map(degradations);
    const depths: number[] = [];
    for (const history of histories) {
      history.on('tokensUpdated', () => depths.push(pool.stats().queueDepth));
      history.addAll([human('hello world'), human(lines(100))]);
    }
    await Promise.all(histories.map((history) => history.waitForTokenUpdates()));
    const expected = tokensOf([human('hello world'), human(lines(100))]);
    expect(histories.map((history) => history.getTotalTokens())).toEqual(histories.map(() => expected));
    expect(Math.max(...depths)).toBeLessThanOrEqual(2);
    // The thread has four requests, and two wait.
    expect(reasons.filter((list) => list.length === 1).length).toBe(6);
    expect(reasons.flat().every((message) => message.includes('too many requests wait'))).toBe(true);
  });

  test('starts no thread for a small history, and one as soon as it is large', async () => {
    const pool = createPool({ minBytes: 50_000 });
    const history = createHistory(pool);
    for (let index = 0; index < 3; index++) {
      history.add(human(lines(100)));
      await history.waitForTokenUpdates();
      expect([pool.isRunning, pool.stats().requests]).toEqual([false, 0]);
    }
    history.add(human(lines(2_000)));
    expect(pool.isRunning).toBe(true);
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(
      tokensOf([...Array.from({ length: 3 }, () => human(lines(100))), human(lines(2_000))]),
    );
    expect(history.engine.stats().bytesCountedOnThreads).toBeGreaterThan(50_000);
  });

  test('does its first work in a later turn of the event loop than the first add', async () => {
    const pool = createPool();
    const history = createHistory(pool);
    history.add(human('hello world'));
    await Promise.resolve();
    expect(pool.stats()).toMatchObject({ requests: 0, lostThreads: 0 });
    await history.waitForTokenUpdates();
    expect(pool.stats().requests).toBe(1);
  });

  test('a pool without its worker file says so once, and the work is done inline', async () => {
    const pool = createPool({ workerFile: new URL('./absent.js', WORKER) });
    const history = createHistory(pool);
    const reasons = degradations(history);
    history.addAll([human('hello world'), human('hello world')]);
    await history.waitForTokenUpdates();
    history.add(human('hello world'));
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(6);
    expect(reasons).toEqual([expect.stringContaining('it could not be loaded (Cannot find module')]);
    expect(history.engine.stats().bytesCountedByCaller).toBeGreaterThan(30);
  });

  test('a closed pool leaves the work to the calling thread, with a notice', async () => {
    const pool = createPool();
    await pool.close();
    const history = createHistory(pool);
    const reasons = degradations(history);
    history.add(human('hello world'));
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(2);
    expect(reasons).toEqual([expect.stringContaining('the pool is closed')]);
  });
});

describe('the progress of a large history', () => {
  const heard = (history: HistoryService): EngineProgress[] => {
    const reports: EngineProgress[] = [];
    history.on('engineProgress', (progress) => reports.push(progress));
    return reports;
  };

  test('is reported while a thread first gets and counts it, and while it is counted again', async () => {
    const entries = Array.from({ length: 2_000 }, (_, index) => human(`${index} ${lines(300)}`));
    const reports: EngineProgress[] = [];
    const link = new ReplicaLink(createPool(), { onProgress: (progress) => reports.push(progress) });
    link.log.follow(entries);
    const signal = new AbortController().signal;
    const count = async (fresh: boolean): Promise<number> => {
      let tokens = 0;
      for await (const counts of countOnThread(entries, { model: 'gpt-5', fresh, signal }, link)) {
        for (const one of counts) tokens += 'tokens' in one ? one.tokens : 0;
      }
      return tokens;
    };
    const isInOrder = (pick: (one: EngineProgress) => number, some: readonly EngineProgress[]): boolean =>
      some.every((one, index) => index === 0 || pick(one) >= pick(some[index - 1]!));
    const tokens = await count(false);
    const [synchronising, counting] = (['synchronise', 'count'] as const).map((phase) =>
      reports.filter((progress) => progress.phase === phase),
    );
    expect(synchronising!.length).toBeGreaterThan(0);
    expect(synchronising!.every((one) => one.allEntries === 2_000 && one.synchronisedBytes > 0)).toBe(true);
    expect(isInOrder((one) => one.doneEntries, synchronising!)).toBe(true);
    expect(isInOrder((one) => one.countedTokens, counting!)).toBe(true);
    expect(counting!.some((one) => one.doneEntries > 0 && one.doneEntries < 2_000)).toBe(true);
    expect(counting!.every((one) => one.countedTokens <= tokens && one.doneEntries <= 2_000)).toBe(true);
    reports.length = 0;
    expect(await count(true)).toBe(tokens);
    expect(reports.some((one) => one.phase === 'count' && one.countedTokens > 0 && one.doneEntries < 2_000)).toBe(true);
    await link.release();
  });

  test('is not reported for ordinary turns', async () => {
    const history = createHistory(createPool());
    const reports = heard(history);
    history.addAll([human('hello'), ai(lines(100))]);
    await history.waitForTokenUpdates();
    expect(reports).toEqual([]);
  });
});
