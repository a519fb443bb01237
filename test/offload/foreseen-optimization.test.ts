import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { densityConfig } from '../../src/gate/density/density-step.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import type { DensityConfig } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { call, answer as toolAnswer } from '../history/entries.ts';
import { Loopback } from './loopback.ts';

const MODEL = 'gpt-4.1';

/** A history over the protocol, and the gate before its sends. */
function scene(settings: object = {}) {
  const pool = new Loopback();
  const engine = new OffloadedEngine({ pool, fallback: new InlineEngine(createExactCounter()) });
  const history = new HistoryService({ engine, model: MODEL, detectMutation: true });
  const ephemerals = createEphemerals([settings], { model: MODEL });
  const runtimeContext = { ephemerals, workspaceRoot: '/work' };
  const gate = new PreSendGate(history, {
    runtimeContext,
    runtimeState: { model: MODEL },
    createStrategy: (name) => getCompressionStrategy(name),
  });
  const tasks = (): string[] => pool.requests.splice(0).map(({ task }) => task.kind);
  return { pool, history, gate, runtimeContext, tasks };
}

/** Reads a file; the second time it is written after that, so that the read is pruned. */
const read = (id: string): IContent[] => [call(id), toolAnswer(id)];
const write = (id: string, file: string): IContent[] => [
  {
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id, name: 'write_file', parameters: { file_path: file, content: 'new' } }],
  },
  { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'write_file', result: 'written' }] },
];

describe('an optimisation that the gate is about to ask for', () => {
  test('goes along with the counts: a turn is one request, and what is pruned is the same', async () => {
    const { history, gate, tasks } = scene();
    history.addAll(read('a'));
    expect((await gate.ensureCompressionBeforeSend('first')).density).toEqual({ kind: 'empty' });
    expect(tasks()).toEqual(['count']);
    history.addAll(write('b', 'a.ts'));
    const { density } = await gate.ensureCompressionBeforeSend('second');
    expect(density).toMatchObject({ kind: 'applied', entriesRemoved: 2, metadata: { readWritePairsPruned: 1 } });
    expect(tasks()).toEqual(['count']);
    expect(history.getAll()).toEqual(write('b', 'a.ts'));
    history.addAll(read('c'));
    await gate.ensureCompressionBeforeSend('third');
    expect(tasks()).toEqual(['count']);
    expect(history.engine.stats().resyncs).toBe(0);
  });

  test('is asked for on its own when nothing was counted for it', async () => {
    const { history, gate, tasks } = scene();
    history.addAll(read('a'));
    await history.waitForTokenUpdates();
    await gate.ensureDensityOptimized();
    expect(tasks()).toEqual(['count', 'optimize']);
  });

  test.each([
    ['grown', (history: HistoryService) => history.addAll(write('c', 'a.ts')), ['count', 'count'], 4],
    ['moved', (history: HistoryService) => history.pop(), ['count', 'optimize'], 3],
  ] as const)('is asked for again when the history has %s while it was done', async (_how, change, kinds, length) => {
    const { pool, history, gate, tasks } = scene();
    history.addAll([...read('a'), ...read('b')]);
    pool.before = () => {
      pool.before = () => {};
      change(history);
    };
    await gate.ensureDensityOptimized();
    expect(tasks()).toEqual(kinds);
    expect(history.length()).toBe(length);
    expect(await gate.ensureDensityOptimized()).toEqual({ kind: 'skipped', reason: 'clean' });
    expect(tasks()).toEqual([]);
  });

  test.each([
    ['the very config that was foreseen', (config: DensityConfig) => config, ['count'], [0, 1]],
    ['an equal one, asked about anew', (config: DensityConfig) => ({ ...config }), ['count', 'optimize'], [0, 1]],
    ['another', (config: DensityConfig) => ({ ...config, readWritePruning: false }), ['count', 'optimize'], []],
  ])('answers for %s', async (_which, asked, kinds, removals) => {
    const { history, runtimeContext, tasks } = scene();
    const [strategy, config] = [getCompressionStrategy('high-density'), densityConfig(runtimeContext)];
    history.engine.foresee(strategy, config);
    history.addAll([...read('a'), ...write('b', 'a.ts')]);
    await history.waitForTokenUpdates();
    const result = await history.engine.optimize(strategy, history.getRawHistory(), asked(config));
    expect(result.removals).toEqual(removals);
    expect(tasks()).toEqual(kinds);
  });

  test('comes on its own when it is long, in parts', async () => {
    const { history, gate, tasks } = scene({ 'compression.density.recencyPruning': true });
    const ids = Array.from({ length: 2_000 }, (_, index) => `f${index}`);
    history.addAll(ids.flatMap((id) => [call(id), toolAnswer(id, 'x')]));
    const { density } = await gate.ensureCompressionBeforeSend('first');
    expect(density).toMatchObject({ kind: 'applied', entriesReplaced: 1_997 });
    expect(tasks()).toContain('optimize');
  });
});
