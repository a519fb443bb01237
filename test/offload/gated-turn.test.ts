import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { call, answer as toolAnswer } from '../history/entries.ts';
import { Loopback, REAL_SERVICES, replicaStore } from './loopback.ts';

const MODEL = 'gpt-4.1';

/** A history over the protocol, and the gate before its sends. */
function scene(settings: object = {}, services = REAL_SERVICES) {
  const pool = new Loopback(replicaStore(services));
  const engine = new OffloadedEngine({ pool, fallback: new InlineEngine(createExactCounter()) });
  const history = new HistoryService({ engine, model: MODEL, detectMutation: true });
  const ephemerals = createEphemerals([settings], { model: MODEL });
  const gate = new PreSendGate(history, {
    runtimeContext: { ephemerals, workspaceRoot: '/work' },
    runtimeState: { model: MODEL },
    createStrategy: (name) => getCompressionStrategy(name),
  });
  const tasks = (): string[] => pool.requests.splice(0).map(({ task }) => task.kind);
  return { pool, history, gate, tasks };
}

function inlineHistory(entries: readonly IContent[]): HistoryService {
  const history = new HistoryService({ engine: new InlineEngine(createExactCounter()), model: MODEL });
  history.addAll(entries);
  return history;
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

describe('the turn of a gate on threads', () => {
  test('is one request that also counts what is new, and what the thread pruned is not sent again', async () => {
    const { pool, history, gate, tasks } = scene();
    history.addAll(read('a'));
    expect((await gate.ensureCompressionBeforeSend('first')).density).toEqual({ kind: 'empty' });
    expect(tasks()).toEqual(['optimize']);
    history.addAll(write('b', 'a.ts'));
    const { density } = await gate.ensureCompressionBeforeSend('second');
    expect(density).toMatchObject({ kind: 'applied', entriesRemoved: 2, metadata: { readWritePairsPruned: 1 } });
    expect(tasks()).toEqual(['optimize']);
    expect(history.getAll()).toEqual(write('b', 'a.ts'));
    history.addAll(read('c'));
    await gate.ensureCompressionBeforeSend('third');
    expect(pool.requests[0]!.changes).toMatchObject([{ kind: 'accept' }, { kind: 'splice', start: 2 }]);
    expect(tasks()).toEqual(['optimize']);
    expect(history.engine.stats().resyncs).toBe(0);
  });

  test('asks for the counts that do not fit its answer, and has them all before it decides', async () => {
    const { history, gate, tasks } = scene();
    const long = 'text '.repeat(20_000);
    history.addAll([...read('a'), call('b'), toolAnswer('b', long), call('c'), toolAnswer('c', long)]);
    const { tokensBefore } = await gate.ensureCompressionBeforeSend('first');
    expect(tasks().filter((kind) => kind !== 'synchronise')).toEqual(['optimize', 'count']);
    const expected = inlineHistory(history.getAll());
    await expected.waitForTokenUpdates();
    expect(tokensBefore).toBe(expected.getTotalTokens());
    expect(history.getTokensPerEntry()).toEqual(expected.getTokensPerEntry());
  });

  test('an entry that cannot be counted fails the run before anything is applied (ERR-021)', async () => {
    const { history, gate } = scene(
      {},
      {
        ...REAL_SERVICES,
        countEntry: (entry, family) => {
          if (JSON.stringify(entry).includes('bad')) throw new Error('cannot count');
          return REAL_SERVICES.countEntry(entry, family);
        },
      },
    );
    history.addAll([...read('a'), toolAnswer('bad'), ...write('b', 'a.ts')]);
    await expect(gate.ensureCompressionBeforeSend('first')).rejects.toThrow('cannot count');
    expect([history.length(), history.gateAccess.versions.isDirty]).toEqual([5, true]);
  });

  test.each([
    ['grown', (history: HistoryService) => history.addAll(write('c', 'a.ts')), 6],
    ['moved', (history: HistoryService) => history.pop(), 3],
  ] as const)('optimises again when the history has %s meanwhile', async (_how, change, length) => {
    const { pool, history, gate, tasks } = scene();
    history.addAll([...read('a'), ...read('b')]);
    pool.before = ({ task }) => {
      if (task.kind !== 'optimize') return;
      pool.before = () => {};
      change(history);
    };
    await gate.ensureDensityOptimized();
    expect(history.length()).toBe(length);
    tasks();
    const { kind } = await gate.ensureDensityOptimized();
    expect(history.gateAccess.versions.isDirty).toBe(false);
    expect([kind, history.length()]).toEqual(_how === 'grown' ? ['applied', 4] : ['skipped', 3]);
  });

  test('brings a long result in parts', async () => {
    const { history, gate, tasks } = scene({ 'compression.density.recencyPruning': true });
    const ids = Array.from({ length: 2_000 }, (_, index) => `f${index}`);
    history.addAll(ids.flatMap((id) => [call(id), toolAnswer(id, 'x')]));
    const { density } = await gate.ensureCompressionBeforeSend('first');
    expect(density).toMatchObject({ kind: 'applied', entriesReplaced: 1_997 });
    expect(tasks()).toEqual(expect.arrayContaining(['optimize', 'continue']));
  });
});
