import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { ai, answer, call, createHistory, human, RecordingEngine, tokensOf } from '../history/entries.ts';
import { Loopback } from '../offload/loopback.ts';
import { createScene, density, FakeStrategy } from './fixtures.ts';

const entries = [human('first'), call('c1'), answer('c1'), ai('  '), human('second')];

describe('optimising before the threshold is asked', () => {
  test('a result that removes or replaces is applied and counted before the threshold (REQ-HD-002.1, REQ-HD-002.4, BR-THRESH-005)', async () => {
    const { gate, history, strategy, settings } = createScene({ entries });
    strategy.onOptimize = () => density([1, 2], [[0, human('f')]]);
    const left = [human('f'), ai('  '), human('second')];
    // Reached by the history as it is, but not once it is optimised.
    settings['context-limit'] = 2 * tokensOf(left);
    settings['compression-threshold'] = 0.6;
    const report = await gate.ensureCompressionBeforeSend('p1');
    expect(tokensOf(entries)).toBeGreaterThan(0.6 * 2 * tokensOf(left));
    expect(history.getAll()).toEqual(left);
    expect(strategy.contexts).toEqual([]);
    expect(report).toMatchObject({
      promptId: 'p1',
      source: 'send',
      tokensBefore: tokensOf(entries),
      tokensAfter: tokensOf(left),
      density: { kind: 'applied', entriesRemoved: 2, entriesReplaced: 1 },
      compression: { kind: 'not-needed' },
      enforcement: { kind: 'within-limit' },
    });
  });

  test('a strategy without `optimize` is skipped (REQ-HD-002.2)', async () => {
    const { strategy, ...rest } = createScene({ entries });
    const thresholdOnly = { name: 'x', requiresLLM: false, trigger: strategy.trigger, compress: strategy.compress };
    const { gate, history } = createScene({ history: rest.history, createStrategy: () => thresholdOnly });
    const report = await gate.ensureCompressionBeforeSend('p');
    expect(report.density).toEqual({ kind: 'skipped', reason: 'no-optimize' });
    expect(history.getAll()).toEqual(entries);
  });

  test.each([
    ['has no `optimize`', 'no-optimize', { optimize: undefined }],
    ['has one but acts at the threshold', 'threshold-only', { trigger: { mode: 'threshold', defaultThreshold: 0.85 } }],
  ])(
    'a strategy that %s leaves the history clean (REQ-HD-002.7; docs/readings.md, row 39)',
    async (_name, reason, own) => {
      const strategy = Object.assign(new FakeStrategy(), own) as FakeStrategy;
      const { gate, history } = createScene({ entries, createStrategy: () => strategy });
      const report = await gate.ensureCompressionBeforeSend('p');
      expect(report.density).toEqual({ kind: 'skipped', reason });
      expect(history.gateAccess.versions.isDirty).toBe(false);
      await gate.enforceContextWindow(0, 'p');
      expect(strategy.optimized).toEqual([]);
    },
  );

  test('the threshold of the strategy in use is the default, also for its target; a set one wins (REQ-HD-001.10; docs/readings.md, row 40)', async () => {
    const strategy = Object.assign(new FakeStrategy(), { trigger: { mode: 'continuous', defaultThreshold: 0.5 } });
    const settings: EphemeralSettings = { 'context-limit': Math.ceil(tokensOf(entries) / 0.6) };
    const scene = createScene({ entries, settings, createStrategy: () => strategy as unknown as FakeStrategy });
    await scene.history.waitForTokenUpdates();
    expect(scene.gate.shouldCompress()).toBe(true);
    strategy.onCompress = ({ history: old }) => old.slice(-1);
    await scene.gate.ensureCompressionBeforeSend('p');
    expect(strategy.contexts[0]?.runtimeContext.ephemerals.compressionThreshold()).toBe(0.5);
    const set = { ...settings, 'compression-threshold': 0.7 };
    const other = createScene({ entries, settings: set, createStrategy: () => strategy as unknown as FakeStrategy });
    await other.history.waitForTokenUpdates();
    expect(other.gate.shouldCompress()).toBe(false);
  });

  test.each(['inline', 'offloaded'] as const)(
    'a skipped call is said to the logger of the gate, %s (EC-016; docs/readings.md, row 40)',
    async (engine) => {
      const odd: IContent = {
        speaker: 'ai',
        blocks: [{ type: 'tool_call', id: 'odd', name: 'read_file', parameters: null }],
      };
      for (const createStrategy of [
        undefined,
        (name: string, options: object) => getCompressionStrategy(name, options),
      ]) {
        const lines: unknown[] = [];
        const fallback = new InlineEngine(createExactCounter());
        const history = new HistoryService({
          engine: engine === 'inline' ? fallback : new OffloadedEngine({ pool: new Loopback(), fallback }),
          model: 'gpt-4o',
        });
        history.addAll([odd, human('next')]);
        const gate = new PreSendGate(history, {
          runtimeContext: { ephemerals: createEphemerals([], { model: 'gpt-4o' }), workspaceRoot: '/work' },
          runtimeState: { model: 'gpt-4o' },
          logger: { debug: (...line) => lines.push(line) },
          ...(createStrategy && { createStrategy }),
        });
        await gate.ensureCompressionBeforeSend('p');
        expect(lines).toEqual([
          [expect.stringContaining('No file recognised'), { tool: 'read_file', callId: 'odd', entry: 0 }],
        ]);
      }
    },
  );

  test('a history is optimised only if it has new content, and at most once per turn (REQ-HD-002.3, REQ-HD-002.7)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    await gate.ensureCompressionBeforeSend('p1');
    const second = await gate.ensureCompressionBeforeSend('p2');
    await gate.ensureDensityOptimized();
    expect(second.density).toEqual({ kind: 'skipped', reason: 'clean' });
    expect(strategy.optimized).toHaveLength(1);
    history.add(human('third'));
    await gate.ensureCompressionBeforeSend('p3');
    expect(strategy.optimized).toHaveLength(2);
  });

  test('an empty result is not applied, and the threshold sees unchanged counts (REQ-HD-002.5, EC-042)', async () => {
    const { gate, history } = createScene({ entries });
    const version = history.gateAccess.versions.version();
    const report = await gate.ensureCompressionBeforeSend('p');
    expect(report.density).toEqual({ kind: 'empty' });
    expect(report.tokensAfter).toBe(tokensOf(entries));
    expect(history.gateAccess.versions.hasOnlyGrownSince(version)).toBe(true);
    expect(history.getAll()).toEqual(entries);
  });

  test('user messages, answers and tool results make the history dirty; optimising, compressing and recounting do not (REQ-HD-002.6)', async () => {
    const { gate, history, strategy, settings } = createScene({ entries });
    const isDirtyAfter = async (change: () => unknown): Promise<boolean> => {
      await gate.ensureDensityOptimized();
      await change();
      await history.waitForTokenUpdates();
      return history.gateAccess.versions.isDirty;
    };
    expect(history.gateAccess.versions.isDirty).toBe(true);
    for (const entry of [human('h'), ai('a'), call('c2'), answer('c2')]) {
      expect(await isDirtyAfter(() => history.add(entry))).toBe(true);
    }
    strategy.onOptimize = () => density([0]);
    history.add(human('once more'));
    expect(await isDirtyAfter(() => gate.ensureDensityOptimized())).toBe(false);
    expect(await isDirtyAfter(() => history.recalculateTotalTokens())).toBe(false);
    settings['compression-threshold'] = 0.1;
    strategy.onCompress = ({ history: old }) => old.slice(-2);
    expect(await isDirtyAfter(() => gate.performCompression('p'))).toBe(false);
    expect(history.length()).toBe(2);
  });

  test('a history compressed by hand with clear and add is not dirty (REQ-HD-002.6; docs/readings.md, row 19)', async () => {
    const { gate, history } = createScene({ entries });
    await gate.ensureDensityOptimized();
    history.startCompression();
    history.clear();
    history.add(ai('summary'));
    history.endCompression();
    expect(history.gateAccess.versions.isDirty).toBe(false);
    history.startCompression();
    history.add(human('arrived'));
    history.clear();
    history.add(ai('summary'));
    history.endCompression();
    expect(history.gateAccess.versions.isDirty).toBe(true);
  });

  test('`optimize` gets the raw history and the settings in force, `compress` the curated one (REQ-HD-002.9)', async () => {
    const { gate, history, strategy } = createScene({
      entries,
      settings: { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 9 },
    });
    await gate.ensureCompressionBeforeSend('p');
    await gate.performCompression('p');
    expect(strategy.optimized[0]?.live).toBe(history.getRawHistory());
    expect(strategy.optimized[0]?.history).toEqual(entries);
    expect(strategy.optimized[0]?.config).toEqual({
      readWritePruning: true,
      fileDedupe: true,
      recencyPruning: true,
      recencyRetention: 9,
      workspaceRoot: '/repo/project',
    });
    expect(strategy.contexts[0]?.history).toEqual(entries.filter((entry) => entry !== entries[3]));
  });

  test('an error of `optimize` is rethrown unchanged, and the version it saw is clean (REQ-HD-013.1, ERR-002; docs/readings.md, row 19)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    const failure = new TypeError('broken rule');
    strategy.onOptimize = () => {
      throw failure;
    };
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toBe(failure);
    expect(history.gateAccess.versions.isDirty).toBe(false);
    expect(history.getAll()).toEqual(entries);
    await expect(gate.ensureCompressionBeforeSend('p')).resolves.toMatchObject({ density: { reason: 'clean' } });
  });

  test.each([
    ['DENSITY_CONFLICT', density([0], [[0, human('x')]])],
    ['DENSITY_INDEX_OUT_OF_BOUNDS', density([99])],
    ['DENSITY_INVALID_RESULT', density([1, 1])],
  ])(
    'a result refused with %s propagates and changes nothing (REQ-HD-013.2, ERR-010 to ERR-013)',
    async (code, result) => {
      const { gate, history, strategy } = createScene({ entries });
      strategy.onOptimize = () => result;
      await expect(gate.ensureCompressionBeforeSend('p')).rejects.toMatchObject({ code });
      expect(history.getAll()).toEqual(entries);
      expect(history.getTotalTokens()).toBe(tokensOf(entries));
    },
  );

  test('a failed recount is thrown, changes nothing and fails one turn only (REQ-HD-013.3, ERR-020)', async () => {
    const engine = new RecordingEngine({
      countEntry: (entry) => {
        if (JSON.stringify(entry).includes('uncountable')) throw new Error('cannot count');
        return 10;
      },
      countText: () => 1,
    });
    const { gate, history, strategy } = createScene({ history: createHistory(entries, { engine }) });
    strategy.onOptimize = () => density([1, 2], [[0, human('uncountable')]]);
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toThrow('cannot count');
    expect(history.getAll()).toEqual(entries);
    expect(history.getTotalTokens()).toBe(50);
    await expect(gate.ensureCompressionBeforeSend('p')).resolves.toMatchObject({ tokensAfter: 50 });
  });

  test('a recount for another model that fails fails one turn only (ERR-020)', async () => {
    let isBroken = false;
    const engine = new RecordingEngine({
      countEntry: () => {
        if (isBroken) throw new Error('cannot count');
        return 10;
      },
      countText: () => 1,
    });
    const { gate, history } = createScene({ history: createHistory(entries, { engine, model: 'another' }) });
    await history.waitForTokenUpdates();
    isBroken = true;
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toThrow('cannot count');
    isBroken = false;
    await expect(gate.ensureCompressionBeforeSend('p')).resolves.toMatchObject({ tokensAfter: 50 });
  });

  test('a result is computed again if the history changed meanwhile (docs/architecture.md, "The offload protocol")', async () => {
    const { gate, history, strategy } = createScene({ entries });
    let runs = 0;
    strategy.onOptimize = (raw) => {
      if (runs++ === 0) history.pop();
      return density([raw.length - 1]);
    };
    const report = await gate.ensureCompressionBeforeSend('p');
    expect(runs).toBe(2);
    expect(report.density).toMatchObject({ kind: 'applied', entriesRemoved: 1 });
    expect(history.getAll()).toEqual(entries.slice(0, 3));
  });

  test('content added while the optimiser runs is kept and is dirty (docs/readings.md, row 19)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    strategy.onOptimize = () => {
      history.add(human('meanwhile'));
      return density([3]);
    };
    await gate.ensureDensityOptimized();
    expect(history.getAll()).toEqual([...entries.filter((entry) => entry !== entries[3]), human('meanwhile')]);
    expect(history.gateAccess.versions.isDirty).toBe(true);
  });

  test('a retention below 1 causes one notice (REQ-HD-013.6; docs/readings.md, row 31)', async () => {
    const { gate, history } = createScene({
      entries,
      settings: { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 0 },
    });
    expect((await gate.ensureCompressionBeforeSend('p')).notices).toEqual([
      '`compression.density.recencyRetention` is 0, which counts as 1.',
    ]);
    history.add(human('next'));
    expect((await gate.ensureCompressionBeforeSend('p')).notices).toEqual([]);
  });

  test('an entry changed in place is detected at the next run (docs/readings.md, row 27)', async () => {
    const { gate, history } = createScene({ entries: [human('fine'), { ...human('before') }] });
    const changed = history.getAll()[1] as { -readonly [Key in keyof IContent]: IContent[Key] };
    changed.blocks = [{ type: 'text', text: 'after' }];
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toMatchObject({
      code: 'HISTORY_MUTATED',
      message: expect.stringContaining('index 1'),
    });
  });
});

describe('one run at a time', () => {
  test('two gates on one history wait for each other (ERR-032, REQ-HD-002.10; docs/readings.md, row 19)', async () => {
    const history = createHistory(entries);
    const order: string[] = [];
    const scenes = ['a', 'b'].map((name) => {
      const scene = createScene({ history, settings: { 'compression-threshold': 0.01, 'context-limit': 10_000 } });
      scene.strategy.onCompress = async ({ history: old }) => {
        order.push(`${name} starts`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
        return [...old];
      };
      return scene;
    });
    await Promise.all(scenes.map(({ gate }) => gate.ensureCompressionBeforeSend('p')));
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  test('`ensureDensityOptimized` from outside a send waits for the current run (ERR-031)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    const order: string[] = [];
    strategy.onOptimize = () => {
      order.push('optimize');
      return density([]);
    };
    strategy.onCompress = async ({ history: old }) => {
      history.add(human('meanwhile'));
      await new Promise((resolve) => setImmediate(resolve));
      order.push('compressed');
      return [...old];
    };
    await Promise.all([gate.performCompression('p'), gate.ensureDensityOptimized()]);
    expect(order).toEqual(['compressed', 'optimize']);
  });

  test('a run waits for a compression that other code started (ERR-032)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    history.startCompression();
    const run = gate.ensureCompressionBeforeSend('p');
    await new Promise((resolve) => setImmediate(resolve));
    expect(strategy.optimized).toEqual([]);
    history.clear();
    history.add(ai('summary'));
    history.endCompression();
    await run;
    expect(history.getAll()).toEqual([ai('summary')]);
  });

  test('a failed run does not prevent the next one', async () => {
    const { gate, history, strategy } = createScene({ entries });
    strategy.onOptimize = () => {
      throw new Error('once');
    };
    const first = gate.ensureCompressionBeforeSend('p1');
    const second = gate.ensureCompressionBeforeSend('p2');
    await expect(first).rejects.toThrow('once');
    await expect(second).resolves.toMatchObject({ promptId: 'p2' });
    expect(history.getAll()).toEqual(entries);
  });

  test('a failed token update is thrown before anything is optimised (ERR-021)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    history.once('tokensUpdated', () => {
      throw new Error('listener');
    });
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toThrow('listener');
    expect(strategy.optimized).toEqual([]);
    await expect(gate.ensureCompressionBeforeSend('p')).resolves.toMatchObject({ tokensAfter: tokensOf(entries) });
  });
});

describe('what a gate is made of (docs/readings.md, row 43)', () => {
  const ephemerals = createEphemerals([], { model: 'gpt-4o' });

  test.each([
    ['runtimeContext.ephemerals', undefined],
    ['runtimeContext.ephemerals', {}],
    ['runtimeContext.workspaceRoot', { runtimeContext: { ephemerals } }],
    ['runtimeState.model', { runtimeContext: { ephemerals, workspaceRoot: '/work' } }],
  ])('a missing `%s` is named', (name, options) => {
    const make = (): unknown => new PreSendGate(createHistory([]), options as never);
    expect(make).toThrow(expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(name) }));
  });

  test.each([
    [[{ 'context-limt': 5 }], { model: 'x' }, 'context-limit'],
    [{ 'context-limit': 5 }, { model: 'x' }, 'a list'],
    [[], undefined, 'model'],
  ])('createEphemerals(%j, %j) is refused', (layers, options, words) => {
    const make = (): unknown => createEphemerals(layers as never, options as never);
    expect(make).toThrow(expect.objectContaining({ code: 'SETTING_INVALID', message: expect.stringContaining(words) }));
  });
});
