import { describe, expect, test } from 'vitest';
import { llxprt } from '../../../src/content/vocabularies/llxprt.ts';
import { PreSendGate } from '../../../src/gate/pre-send-gate.ts';
import { HistoryService } from '../../../src/history/history-service.ts';
import type { EphemeralSettings } from '../../../src/settings/registry.ts';
import { createEphemerals } from '../../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { exchange, human } from '../../strategies/conversation.ts';

const MINUTE_MS = 60_000;
const LONG = human('a long text '.repeat(5000));

function gateOf(history: HistoryService, now: () => number, more: EphemeralSettings = {}) {
  const model = 'claude-sonnet-4-5';
  const settings: EphemeralSettings = { 'compression.density.timing': 'when-it-pays', 'context-limit': 1e6, ...more };
  return new PreSendGate(history, {
    runtimeContext: { ephemerals: createEphemerals([settings], { model }), workspaceRoot: '/repo' },
    runtimeState: { model },
    createStrategy: (name) => getCompressionStrategy(name, { vocabulary: llxprt }),
    now,
  });
}

describe('the gate with the timing `when-it-pays`', () => {
  async function play(pauseMs: number, more: EphemeralSettings = {}) {
    const history = new HistoryService();
    let nowMs = 0;
    const gate = gateOf(history, () => nowMs, more);
    history.addAll([human('go'), ...exchange('r', 'read_file', 'a.ts'), LONG]);
    await gate.ensureCompressionBeforeSend('1');
    nowMs += pauseMs;
    history.addAll(exchange('w', 'write_file', 'a.ts'));
    const { density } = await gate.ensureCompressionBeforeSend('2');
    return { density, gate, history };
  }

  test('applies at once where the timing is `every-turn`', async () => {
    const { density } = await play(MINUTE_MS, { 'compression.density.timing': 'every-turn' });
    expect(density.kind).toBe('applied');
    expect(density).not.toHaveProperty('reason');
  });

  test('delays edits while they cost more than they save, says why, and applies them once the cache expired', async () => {
    const { density, gate, history } = await play(MINUTE_MS);
    expect(density).toMatchObject({
      kind: 'waiting',
      cause: 'costs',
      reason: expect.stringMatching(/^waits: .* would rewrite /),
    });
    expect(history.length()).toBe(6);
    // Pending edits are not forgotten: an explicit request applies them.
    expect((await gate.ensureDensityOptimized()).kind).toBe('applied');
    expect(history.length()).toBe(4);
    const cold = await play(6 * MINUTE_MS);
    expect(cold.density).toMatchObject({ kind: 'applied', reason: expect.stringContaining('the cache has expired') });
    expect((await play(6 * MINUTE_MS, { 'compression.density.cacheMinutes': 60 })).density.kind).toBe('waiting');
  });

  test('applies at once what comes after a change by others: the provider finds only the start before it', async () => {
    const history = new HistoryService();
    let nowMs = 0;
    const gate = gateOf(history, () => nowMs);
    history.addAll([human('go'), ...exchange('r', 'read_file', 'a.ts'), LONG]);
    await gate.ensureCompressionBeforeSend('1');
    nowMs += MINUTE_MS;
    const [, ...rest] = history.getRawHistory();
    history.clear();
    history.addAll([human('go on'), ...rest, ...exchange('w', 'write_file', 'a.ts')]);
    const { density } = await gate.ensureCompressionBeforeSend('2');
    expect(density).toMatchObject({ kind: 'applied' });
  });

  test('applies the late edits that pay and lets the early ones wait', async () => {
    const history = new HistoryService();
    const gate = gateOf(history, () => 0);
    history.addAll([human('go'), ...exchange('r', 'read_file', 'a.ts'), LONG]);
    await gate.ensureCompressionBeforeSend('1');
    const big = exchange('s', 'read_file', 'b.ts', { result: 'another long text '.repeat(3000) });
    history.addAll([...exchange('w', 'write_file', 'a.ts'), ...big, ...exchange('x', 'write_file', 'b.ts')]);
    const { density } = await gate.ensureCompressionBeforeSend('2');
    expect(density).toMatchObject({
      kind: 'applied',
      entriesRemoved: 2,
      reason: expect.stringMatching(/^removes .* of /),
    });
    expect(history.gateAccess.versions.isDirty).toBe(true);
    expect(history.length()).toBe(8);
  });

  test('takes a history that was sent before a restart for cached, unless its times say otherwise', async () => {
    const restarted = async (nowMs: number) => {
      const entries = [
        human('go'),
        ...exchange('r', 'read_file', 'a.ts'),
        LONG,
        ...exchange('w', 'write_file', 'a.ts'),
      ];
      const history = new HistoryService();
      history.addAll(entries.map((entry) => ({ ...entry, metadata: { ...entry.metadata, timestamp: 1000 } })));
      history.add(human('and now?'));
      return (await gateOf(history, () => nowMs).ensureCompressionBeforeSend('1')).density.kind;
    };
    expect(await restarted(1000 + MINUTE_MS)).toBe('waiting');
    expect(await restarted(1000 + 6 * MINUTE_MS)).toBe('applied');
  });
});
