import { describe, expect, test } from 'vitest';
import type { RemovingStep } from '../../src/gate/report.ts';
import type { ChangedBlock } from '../../src/strategies/changed-entries.ts';
import type { DensityEdit } from '../../src/strategies/contract.ts';
import { answer, call, human, tokensOf } from '../history/entries.ts';
import { createScene, density } from './fixtures.ts';

const entries = [human('a question'), call('c1'), answer('c1', 'a'.repeat(400)), human('another question')];
const reasonsIn = (blocks: readonly ChangedBlock[]) => blocks.flatMap(({ edits }) => edits.map(({ reason }) => reason));

describe('each step that removes something', () => {
  test('is reported with its findings and the reasons of the strategy, which the outcome has too', async () => {
    const steps: RemovingStep[] = [];
    const { gate, strategy } = createScene({ entries, onRemoved: (step) => steps.push(step) });
    const reason = { rule: 'staleRead', read: { entry: 1, block: 0, callId: 'c1' }, causes: [] } as const;
    const edits: DensityEdit[] = [1, 2].map((entry) => ({ entry, block: 0, kind: 'remove', reason }));
    strategy.onOptimize = () => ({ ...density([1, 2]), edits });
    const { density: outcome } = await gate.ensureCompressionBeforeSend('p');
    expect(outcome).toMatchObject({ kind: 'applied', edits });
    expect(steps).toMatchObject([{ kind: 'optimized', before: entries, changes: [{ index: 1 }, { index: 2 }] }]);
    expect(steps[0]!.changes.flatMap(({ blocks }) => reasonsIn(blocks))).toEqual([reason, reason]);
  });

  test('has the name of a compression or of the last resort as its reason', async () => {
    const steps: RemovingStep[] = [];
    const settings = { 'context-limit': tokensOf(entries) - 100, 'compression-threshold': 1 };
    const { gate, strategy, history } = createScene({ entries, settings, onRemoved: (step) => steps.push(step) });
    const shorter = { ...entries[2]!, blocks: answer('c1', 'a'.repeat(390)).blocks };
    strategy.onCompress = () => entries.with(2, shorter);
    const { enforcement } = await gate.ensureCompressionBeforeSend('p');
    expect(enforcement).toMatchObject({ lastResort: { entriesDropped: 2 } });
    expect(history.length()).toBe(2);
    expect(steps.map(({ kind }) => kind)).toEqual(['compressed', 'compressed']);
    expect(steps.map(({ changes }) => changes.flatMap(({ blocks }) => reasonsIn(blocks)))).toEqual([
      [{ rule: 'summarised', strategy: 'fake' }],
      [
        { rule: 'dropped', strategy: 'last-resort' },
        { rule: 'dropped', strategy: 'last-resort' },
      ],
    ]);
  });

  test('is also reported when the run fails later', async () => {
    const steps: RemovingStep[] = [];
    const { gate, strategy } = createScene({
      entries,
      settings: { 'context-limit': 20 },
      onRemoved: (step) => steps.push(step),
    });
    strategy.onOptimize = () => density([1, 2]);
    const run = gate.ensureCompressionBeforeSend('p');
    await expect(run).rejects.toMatchObject({ code: 'CONTEXT_WINDOW_EXCEEDED' });
    expect(steps).toMatchObject([{ kind: 'optimized', changes: [{ index: 1 }, { index: 2 }] }]);
  });
});
