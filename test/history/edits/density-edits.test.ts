import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import type { DensityResult } from '../../../src/strategies/contract.ts';
import { ai, answer, call, createHistory, human, RecordingEngine, tokensOf } from '../entries.ts';

const metadata = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
const result = (removals: readonly number[], replacements: readonly (readonly [number, IContent])[] = []) =>
  ({ removals, replacements: new Map(replacements), metadata }) satisfies DensityResult;
const five = [human('zero'), ai('one'), human('two'), ai('three'), human('four')];
const nextEventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('`applyDensityResult`', () => {
  test.each([
    [
      'replacements before removals (REQ-HD-003.2; docs/readings.md, row 35)',
      [0, 1],
      [[4, ai('4')]],
      [five[2], five[3], ai('4')],
    ],
    ['removals in any order (REQ-HD-003.3; docs/readings.md, row 35)', [3, 0, 4], [], [five[1], five[2]]],
    [
      'only replacements',
      [],
      [
        [0, ai('0')],
        [2, ai('2')],
      ],
      [ai('0'), five[1], ai('2'), five[3], five[4]],
    ],
    ['the removal of everything', [0, 1, 2, 3, 4], [], []],
    ['nothing', [], [], five],
  ] as const)('applies %s (REQ-HD-003.1)', async (_name, removals, replacements, expected) => {
    const history = createHistory(five);
    const raw = history.getRawHistory();
    await history.applyDensityResult(result(removals, replacements));
    expect(history.getAll()).toEqual(expected);
    expect(history.getRawHistory()).toBe(raw);
    expect(history.getTotalTokens()).toBe(tokensOf(history.getAll()));
  });

  test('kept entries keep their identity, and only new ones are counted (docs/readings.md, row 28)', async () => {
    const engine = new RecordingEngine();
    const history = createHistory(five, { engine });
    await history.applyDensityResult(result([0], [[2, ai('new')]]));
    expect(history.getAll()[0]).toBe(five[1]);
    expect(engine.requests).toEqual([five, [ai('new')]]);
  });

  test('the recount runs on the lock and is announced as one change (REQ-HD-003.4)', async () => {
    const history = createHistory(five);
    await history.waitForTokenUpdates();
    const updates: unknown[] = [];
    history.on('tokensUpdated', (update) => updates.push(update));
    await history.applyDensityResult(result([0, 1]));
    const left = tokensOf(five.slice(2));
    expect(updates).toEqual([{ totalTokens: left, addedTokens: left - tokensOf(five), contentId: null }]);
  });

  test('`recalculateTotalTokens` counts every entry again on the lock (REQ-HD-003.6; docs/readings.md, row 28)', async () => {
    let weight = 1;
    const engine = new RecordingEngine({ countEntry: () => weight, countText: () => 1 });
    const history = createHistory(five, { engine });
    await history.waitForTokenUpdates();
    weight = 3;
    await history.recalculateTotalTokens();
    expect(history.getTotalTokens()).toBe(15);
    expect(engine.requests).toEqual([five, five]);
  });

  test.each<[string, string, DensityResult]>([
    ['(REQ-HD-001.6, BR-CONFLICT-001, ERR-010) an index in both', 'DENSITY_CONFLICT', result([1], [[1, ai('x')]])],
    ['(REQ-HD-001.7, ERR-011) a removal past the end', 'DENSITY_INDEX_OUT_OF_BOUNDS', result([5])],
    ['(ERR-011) a negative removal', 'DENSITY_INDEX_OUT_OF_BOUNDS', result([-1])],
    ['(ERR-011) a removal between two entries', 'DENSITY_INDEX_OUT_OF_BOUNDS', result([1.5])],
    ['(ERR-011) a removal that is no number', 'DENSITY_INDEX_OUT_OF_BOUNDS', result([Number.NaN])],
    ['(REQ-HD-001.7, ERR-012) a replacement past the end', 'DENSITY_INDEX_OUT_OF_BOUNDS', result([], [[5, ai('x')]])],
    ['(ERR-012) a replacement between two entries', 'DENSITY_INDEX_OUT_OF_BOUNDS', result([], [[0.5, ai('x')]])],
    ['(ERR-013) a duplicate removal', 'DENSITY_INVALID_RESULT', result([2, 2])],
    ['a replacement without blocks', 'DENSITY_INVALID_RESULT', result([], [[1, { speaker: 'ai', blocks: [] }]])],
    ['a replacement that is no entry', 'DENSITY_INVALID_RESULT', result([], [[1, null as never]])],
    ['no removals', 'DENSITY_INVALID_RESULT', { replacements: new Map(), metadata } as never],
    ['replacements that are no map', 'DENSITY_INVALID_RESULT', { removals: [], replacements: {}, metadata } as never],
  ])('refuses %s with %s and changes nothing', async (_name, code, refused) => {
    const history = createHistory(five);
    await history.waitForTokenUpdates();
    await expect(history.applyDensityResult(refused)).rejects.toMatchObject({
      name: 'CompressionStrategyError',
      code,
      message: expect.stringMatching(/Expected .* got .*\. Nothing was changed/),
    });
    expect(history.getAll()).toEqual(five);
    expect(history.getTotalTokens()).toBe(tokensOf(five));
    await history.waitForTokenUpdates();
  });

  test('is refused during a compression, also when that starts while it waits (ERR-030; docs/readings.md, row 29)', async () => {
    const history = createHistory(five);
    const waiting = history.applyDensityResult(result([0]));
    history.startCompression();
    await expect(waiting).rejects.toMatchObject({ code: 'DENSITY_DURING_COMPRESSION' });
    await expect(history.applyDensityResult(result([0]))).rejects.toMatchObject({ code: 'DENSITY_DURING_COMPRESSION' });
    history.endCompression();
    expect(history.getAll()).toEqual(five);
  });

  test('a recount that fails leaves history and total as they were (REQ-HD-013.3, ERR-020, law 9)', async () => {
    const engine = new RecordingEngine({
      countEntry: (entry) => {
        if (JSON.stringify(entry).includes('bad')) throw new Error('cannot count');
        return 10;
      },
      countText: () => 1,
    });
    const history = createHistory(five, { engine });
    const refused = history.applyDensityResult(result([0], [[1, ai('bad')]]));
    await expect(refused).rejects.toThrow('cannot count');
    await expect(history.waitForTokenUpdates()).rejects.toThrow('cannot count');
    expect(history.getAll()).toEqual(five);
    expect(history.getTotalTokens()).toBe(50);
    await history.applyDensityResult(result([0]));
    expect(history.getTotalTokens()).toBe(40);
  });

  test('an entry that could not be counted when it was added is counted with the next recount', async () => {
    let isBroken = true;
    const engine = new RecordingEngine({
      countEntry: () => {
        if (isBroken) throw new Error('cannot count');
        return 10;
      },
      countText: () => 1,
    });
    const history = createHistory(five, { engine });
    await expect(history.waitForTokenUpdates()).rejects.toBeInstanceOf(AggregateError);
    isBroken = false;
    await history.applyDensityResult(result([0]));
    expect(history.getTotalTokens()).toBe(40);
  });
});

describe('a result that was computed for an earlier version (docs/architecture.md, "The offload protocol", stale results)', () => {
  test.each<[string, (history: ReturnType<typeof createHistory>) => unknown]>([
    ['popped', (history) => history.pop()],
    ['cleared', (history) => history.clear()],
    ['fixed', (history) => history.validateAndFix()],
  ])('is refused when the history was %s since', async (_name, change) => {
    const history = createHistory([...five, call('open')]);
    const version = history.gateAccess.versions.version();
    change(history);
    const before = history.getAll();
    await expect(history.applyDensityResult(result([0]), version)).rejects.toMatchObject({ code: 'HISTORY_CHANGED' });
    expect(history.getAll()).toEqual(before);
  });

  test('is refused when the history moved while its replacements were counted', async () => {
    const engine = new RecordingEngine();
    const history = createHistory(five, { engine });
    await history.waitForTokenUpdates();
    engine.hold();
    const applying = history.applyDensityResult(result([], [[1, ai('new')]]));
    await nextEventLoopTurn();
    history.clear();
    history.addAll([human('other'), human('others')]);
    engine.release();
    await expect(applying).rejects.toMatchObject({ code: 'HISTORY_CHANGED' });
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual([human('other'), human('others')]);
    expect(history.getTotalTokens()).toBe(tokensOf(history.getAll()));
  });

  test('is applied when entries were only added, and its indices keep their meaning', async () => {
    const history = createHistory(five);
    const version = history.gateAccess.versions.version();
    history.add(human('five'));
    await history.applyDensityResult(result([4, 0]), version);
    await history.waitForTokenUpdates();
    expect(history.getAll()).toEqual([...five.slice(1, 4), human('five')]);
    expect(history.getTotalTokens()).toBe(tokensOf(history.getAll()));
    await expect(history.applyDensityResult(result([5]), version)).rejects.toThrow();
  });

  test('is refused when one of its calls was answered since', async () => {
    const history = createHistory([human('q'), call('c1')]);
    const version = history.gateAccess.versions.version();
    history.add(answer('c1'));
    await expect(history.applyDensityResult(result([0]), version)).rejects.toMatchObject({ code: 'HISTORY_CHANGED' });
    const later = history.gateAccess.versions.version();
    history.addAll([call('c2'), answer('c2')]);
    await history.applyDensityResult(result([0]), later);
    expect(history.length()).toBe(4);
  });
});
