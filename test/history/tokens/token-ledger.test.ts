import { describe, expect, test, vi } from 'vitest';
import { HistoryService } from '../../../src/history/history-service.ts';
import { InlineEngine } from '../../../src/history/inline-engine.ts';
import { ai, answer, call, characterCounter, createHistory, human, RecordingEngine, tokensOf } from '../entries.ts';

const nextEventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Counts 10 for each entry, but throws for those with `bad` in them. */
const pickyCounter = {
  countEntry: (entry: unknown): number => {
    if (JSON.stringify(entry).includes('bad')) throw new Error('cannot count');
    return 10;
  },
  countText: (text: string): number => text.length,
};

describe('the lock', () => {
  test('token work is done one piece at a time, in the order it was asked for', async () => {
    const engine = new RecordingEngine();
    const history = createHistory([human('first')], { engine });
    await history.waitForTokenUpdates();
    engine.hold();
    history.add(ai('held back'));
    const replaced = history.replaceAll([human('new one')]);
    const recounted = history.recalculateTotalTokens();
    await expect.poll(() => engine.requests).toHaveLength(2);
    await nextEventLoopTurn();
    // Without the lock all three would have been asked for by now.
    expect(engine.requests.slice(1)).toEqual([[ai('held back')]]);
    engine.release();
    await Promise.all([replaced, recounted]);
    expect(engine.requests.slice(1)).toEqual([[ai('held back')], [human('new one')], [human('new one')]]);
    expect(history.getTotalTokens()).toBe(tokensOf([human('new one')]));
  });

  test('a sync keeps its place between two adds', async () => {
    const history = createHistory([human('before')]);
    history.syncTotalTokens(5000);
    history.add(human('after'));
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(5000 + tokensOf([human('after')]));
  });

  test('a recount while entries are still uncounted loses and doubles nothing', async () => {
    const history = createHistory([human('one')]);
    const recounted = history.recalculateTotalTokens();
    history.add(human('two'));
    await recounted;
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf([human('one'), human('two')]));
  });
});

describe('one count per burst', () => {
  test('100,000 adds are one request, with one `tokensUpdated` each', async () => {
    const engine = new RecordingEngine(pickyCounter);
    const history = new HistoryService({ engine });
    let updates = 0;
    let lastTotal = 0;
    let wrongTotals = 0;
    history.on('tokensUpdated', ({ totalTokens, addedTokens }) => {
      if (totalTokens - lastTotal !== addedTokens) wrongTotals++;
      lastTotal = totalTokens;
      updates++;
    });
    for (let index = 0; index < 100_000; index++) history.add(human(`entry ${index}`));
    await history.waitForTokenUpdates();
    expect(engine.requests).toHaveLength(1);
    expect([updates, wrongTotals]).toEqual([100_000, 0]);
    expect(history.getTotalTokens()).toBe(1_000_000);
  });

  test('the event loop turns while a burst is counted', async () => {
    // Each reading of the clock is a millisecond later: a slice is over after a few entries.
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
    const history = createHistory(Array.from({ length: 40 }, (_, index) => human(`entry ${index}`)));
    let turns = 0;
    let isDone = false;
    const countTurn = (): void => {
      turns++;
      if (!isDone) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await history.waitForTokenUpdates();
    isDone = true;
    vi.restoreAllMocks();
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('an entry counted once is not counted again for the same model', async () => {
    const engine = new RecordingEngine();
    const entries = [human('one'), ai('two')];
    const history = createHistory(entries, { engine });
    await history.waitForTokenUpdates();
    await history.replaceAll([...entries].reverse());
    await history.estimateTokensForContents(entries);
    history.add(entries[0]!);
    await history.waitForTokenUpdates();
    expect(engine.requests).toEqual([entries]);
    expect(history.getTotalTokens()).toBe(tokensOf([...entries, entries[0]!]));
  });
});

describe('failures', () => {
  test('one entry that cannot be counted does not keep the others from being counted; it surfaces once (ERR-020, ERR-021)', async () => {
    const history = createHistory([human('one'), human('bad'), human('two')], {
      engine: new RecordingEngine(pickyCounter),
    });
    await expect(history.waitForTokenUpdates()).rejects.toThrow('cannot count');
    await expect(history.waitForTokenUpdates()).resolves.toBeUndefined();
    history.add(human('three'));
    await history.waitForTokenUpdates();
    expect(history.length()).toBe(4);
    expect(history.getTotalTokens()).toBe(30);
  });

  test('several failures surface together', async () => {
    const history = createHistory([human('bad 1'), human('bad 2')], { engine: new RecordingEngine(pickyCounter) });
    const failure = await history.waitForTokenUpdates().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AggregateError);
    expect((failure as AggregateError).errors).toHaveLength(2);
  });

  test('a `tokensUpdated` listener that throws loses nothing and surfaces at the next wait', async () => {
    const history = createHistory();
    history.once('tokensUpdated', () => {
      throw new Error('listener');
    });
    history.addAll([human('one'), human('two')]);
    await expect(history.waitForTokenUpdates()).rejects.toThrow('listener');
    expect(history.getTotalTokens()).toBe(tokensOf([human('one'), human('two')]));
  });

  test('a recount that fails rejects, surfaces at the wait too and leaves the total (ERR-020, ERR-021; docs/readings.md, row 28)', async () => {
    let isBroken = false;
    const engine = new RecordingEngine({
      ...pickyCounter,
      countEntry: () => {
        if (isBroken) throw new Error('cannot count');
        return 10;
      },
    });
    const history = createHistory([human('one'), human('two')], { engine });
    await history.waitForTokenUpdates();
    isBroken = true;
    await expect(history.recalculateTotalTokens()).rejects.toThrow('cannot count');
    await expect(history.waitForTokenUpdates()).rejects.toThrow('cannot count');
    expect(history.getTotalTokens()).toBe(20);
    isBroken = false;
    await history.recalculateTotalTokens();
    history.add(human('three'));
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(30);
  });

  test('an engine that breaks off is a failure, not a wrong total', async () => {
    class SilentEngine extends InlineEngine {
      override async *countEntries(): AsyncGenerator<never> {}
    }
    const history = new HistoryService({ engine: new SilentEngine(characterCounter) });
    history.add(human('one'));
    await expect(history.waitForTokenUpdates()).rejects.toThrow('Expected the engine to count 1 entry');
  });

  test.each([
    ['negative', -5],
    ['NaN', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
  ])('a %s count is taken as 0 (ERR-022)', async (_name, count) => {
    const engine = new RecordingEngine({ countEntry: () => count, countText: () => count });
    const history = createHistory([human('one')], { engine });
    await history.waitForTokenUpdates();
    await history.recalculateTotalTokens();
    expect(history.getTotalTokens()).toBe(0);
    expect(await history.estimateTokensForText('text')).toBe(0);
  });
});

describe('counts in flight', () => {
  test('`clear` drops them, and what is added afterwards is counted', async () => {
    const engine = new RecordingEngine();
    engine.hold();
    const history = createHistory([human('gone')], { engine });
    await expect.poll(() => engine.requests).toHaveLength(1);
    history.clear();
    history.add(human('stays'));
    engine.release();
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf([human('stays')]));
    expect(history.getTokensPerEntry()).toEqual([tokensOf([human('stays')])]);
  });

  test('`clear` during a recount leaves no total of the removed entries', async () => {
    const engine = new RecordingEngine();
    const history = createHistory([human('gone')], { engine });
    await history.waitForTokenUpdates();
    engine.hold();
    const recounted = history.recalculateTotalTokens();
    await expect.poll(() => engine.requests).toHaveLength(2);
    history.clear();
    engine.release();
    await recounted;
    expect(history.getTotalTokens()).toBe(0);
  });

  test('a sync asked for before a clear or a reset is dropped', async () => {
    const history = createHistory([human('one')]);
    history.syncTotalTokens(9000);
    history.clear();
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(0);
    history.syncTotalTokens(9000);
    history.resetTokenAccounting();
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(0);
  });
});

describe('the base offset', () => {
  test('is whole, at least 0, part of the total, and announced only when it changes', () => {
    const history = createHistory();
    const totals: number[] = [];
    history.on('tokensUpdated', ({ totalTokens }) => totals.push(totalTokens));
    for (const offset of [10.9, 10, -3, Number.NaN]) history.setBaseTokenOffset(offset);
    expect(totals).toEqual([10, 0]);
    expect(history.getBaseTokenOffset()).toBe(0);
  });

  test.each([[5000], [3], [0]])('`syncTotalTokens(%d)` makes the total what the provider reported', async (actual) => {
    const history = createHistory([human('some words'), ai('more words')]);
    history.syncTotalTokens(actual);
    history.syncTotalTokens(Number.NaN);
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(actual);
    expect(history.getBaseTokenOffset()).toBeGreaterThanOrEqual(0);
    history.clear();
    history.add(human('next'));
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBeGreaterThanOrEqual(tokensOf([human('next')]));
  });

  test('`resetTokenAccounting` takes it to 0', () => {
    const history = createHistory();
    history.setBaseTokenOffset(10);
    history.resetTokenAccounting();
    expect(history.getTotalTokens()).toBe(0);
  });
});

describe('models', () => {
  const byModel = {
    countEntry: (_entry: unknown, model: string): number => model.length,
    countText: (_text: string, model: string): number => model.length,
  };

  test('an entry is counted for the model of its add, later ones for the target once it is set', async () => {
    const history = createHistory([], { engine: new RecordingEngine(byModel), model: '1' });
    history.add(human('a'));
    history.add(human('b'), '22');
    history.setActiveTokenizationTarget('4444');
    history.add(human('c'), '22');
    await history.waitForTokenUpdates();
    expect(history.getTokensPerEntry()).toEqual([1, 2, 4]);
    await history.recalculateTokens();
    expect(history.getTokensPerEntry()).toEqual([4, 4, 4]);
    await history.recalculateTotalTokens('333');
    expect(history.getTotalTokens()).toBe(9);
    await history.gateAccess.countFor('22');
    expect(history.getTotalTokens()).toBe(6);
    expect(await history.estimateTokensForText('x')).toBe(2);
  });

  test('without a target a recount keeps each entry’s own model', async () => {
    const history = createHistory([], { engine: new RecordingEngine(byModel), model: '1' });
    history.add(human('a'));
    history.add(human('b'), '22');
    await history.recalculateTotalTokens();
    expect(history.getTotalTokens()).toBe(3);
  });

  test('an entry that is there twice for two models has a count for each, and leaves with its own', async () => {
    const engine = new RecordingEngine(byModel);
    const history = createHistory([], { engine, model: '1' });
    const entry = human('a');
    history.add(entry, '22');
    history.add(entry, '333');
    await history.waitForTokenUpdates();
    expect(history.getTokensPerEntry()).toEqual([2, 3]);
    history.pop();
    expect(history.getTotalTokens()).toBe(2);
    history.add(entry, '333');
    await history.waitForTokenUpdates();
    await history.recalculateTotalTokens('4444');
    expect(history.getTokensPerEntry()).toEqual([4, 4]);
    expect(history.getTotalTokens()).toBe(8);
    expect(engine.requests).toHaveLength(3);
  });

  test('estimates change nothing', async () => {
    const entries = [call('c1'), answer('c1')];
    const history = createHistory([human('stands')]);
    expect(await history.estimateTokensForContents(entries)).toBe(tokensOf(entries));
    expect(await history.estimateTokensForText('four')).toBe(4);
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf([human('stands')]));
  });
});

describe('engines', () => {
  test('get each change, in order', async () => {
    class WatchingEngine extends RecordingEngine {
      readonly seen: unknown[] = [];
      override changed(...changes: unknown[]): void {
        this.seen.push(...changes);
      }
    }
    const engine = new WatchingEngine();
    const history = createHistory([], { engine });
    history.add(human('one'));
    history.addAll([ai('two'), human('three')]);
    history.pop();
    const result = { removals: [0], replacements: new Map(), metadata: {} as never };
    await history.applyDensityResult(result);
    await history.replaceAll([human('new'), ai('two'), human('last')]);
    history.clear();
    const splice = (start: number, removed: unknown[], entries: unknown[]): unknown => ({
      kind: 'splice',
      start,
      removed,
      entries,
    });
    expect(engine.seen).toEqual([
      splice(0, [], [human('one')]),
      splice(1, [], [ai('two'), human('three')]),
      splice(2, [human('three')], []),
      { kind: 'applied', result },
      splice(0, [ai('two')], [human('new'), ai('two'), human('last')]),
      splice(0, [human('new'), ai('two'), human('last')], []),
    ]);
  });

  test('a new engine gets the present history and does the counting from then on', async () => {
    const first = new RecordingEngine();
    const second = new RecordingEngine();
    const history = createHistory([human('one')], { engine: first });
    await history.gateAccess.setEngine(second);
    history.add(human('two'));
    await history.waitForTokenUpdates();
    expect(history.engine).toBe(second);
    expect([first.requests, second.requests]).toEqual([[[human('one')]], [[human('two')]]]);
    expect(history.getTotalTokens()).toBe(tokensOf([human('one'), human('two')]));
  });
});
