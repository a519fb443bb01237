import { describe, expect, test } from 'vitest';
import { llxprt } from '../../../src/content/vocabularies/llxprt.ts';
import {
  historySize,
  type PruningMoment,
  pruningPays,
  pruningWeight,
} from '../../../src/gate/density/density-timing.ts';
import { PreSendGate } from '../../../src/gate/pre-send-gate.ts';
import { HistoryService } from '../../../src/history/history-service.ts';
import type { EphemeralSettings } from '../../../src/settings/registry.ts';
import { createEphemerals } from '../../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { ai, exchange, human, text, tool } from '../../strategies/conversation.ts';

const MINUTE_MS = 60_000;
const CACHED: PruningMoment = {
  waitingTokens: 10,
  rebilledTokens: 1000,
  historyTokens: 40_000,
  answeredCalls: 20,
  totalTokens: 5000,
  thresholdTokens: 100_000,
  idleMs: MINUTE_MS,
  cacheMs: 5 * MINUTE_MS,
};

describe('applying edits pays', () => {
  test('not while the prompt cache is valid, the window has room and few tokens wait', () => {
    expect(pruningPays(CACHED)).toBe(false);
    expect(pruningPays({ ...CACHED, idleMs: 59 * MINUTE_MS, cacheMs: 60 * MINUTE_MS })).toBe(false);
  });

  test('writes to a cache of an hour cost more, so more tokens must wait', () => {
    const hour = { ...CACHED, cacheMs: 60 * MINUTE_MS };
    expect(pruningPays({ ...hour, waitingTokens: 820 })).toBe(false);
    expect(pruningPays({ ...hour, waitingTokens: 830 })).toBe(true);
  });

  test('not while a cached history is small or short, whatever waits', () => {
    expect(pruningPays({ ...CACHED, historyTokens: 31_999, waitingTokens: 20_000 })).toBe(false);
    expect(pruningPays({ ...CACHED, answeredCalls: 11, waitingTokens: 20_000 })).toBe(false);
  });

  test.each([
    ['nothing was sent yet', { idleMs: undefined }],
    ['the cache expired', { idleMs: 5 * MINUTE_MS }],
    ['a cache of an hour expired', { idleMs: 60 * MINUTE_MS, cacheMs: 60 * MINUTE_MS }],
    ['the threshold is near', { totalTokens: 90_000 }],
    ['enough tokens wait for those that are billed again', { waitingTokens: 500 }],
    ['nothing is billed again', { rebilledTokens: 0 }],
  ])('when %s', (_when, moment) => {
    expect(pruningPays({ ...CACHED, ...moment })).toBe(true);
  });

  test('tokens sent after the first edit are billed again, except the removed ones', () => {
    const history = [human('a'), ai('bb'), tool('cccc'), ai('d')];
    const result = { removals: [1], replacements: new Map([[2, { ...history[2]!, blocks: [text('c')] }]]) };
    const tokens = [100, 100, 100, 100];
    expect(pruningWeight(history, result, { tokens, sentEntries: 3 })).toEqual({
      waitingTokens: 175,
      rebilledTokens: 25,
    });
    expect(pruningWeight(history, result, { tokens, sentEntries: 0 }).rebilledTokens).toBe(0);
    expect(historySize(history, tokens)).toEqual({ historyTokens: 400, answeredCalls: 2 });
  });
});

describe('the gate', () => {
  const settings = { 'compression.density.timing': 'when-it-pays', 'context-limit': 1_000_000 } as const;

  async function play(timing: 'every-turn' | 'when-it-pays', pauseMs: number, more: EphemeralSettings = {}) {
    const history = new HistoryService();
    let nowMs = 0;
    const gate = new PreSendGate(history, {
      runtimeContext: {
        ephemerals: createEphemerals([{ ...settings, 'compression.density.timing': timing, ...more }], {
          model: 'gpt-4o',
        }),
        workspaceRoot: '/repo',
      },
      runtimeState: { model: 'gpt-4o' },
      createStrategy: (name) => getCompressionStrategy(name, { vocabulary: llxprt }),
      now: () => nowMs,
    });
    history.addAll([human('go'), ...exchange('r', 'read_file', 'a.ts'), human('a long text '.repeat(500))]);
    await gate.ensureCompressionBeforeSend('1');
    nowMs += pauseMs;
    history.addAll(exchange('w', 'write_file', 'a.ts'));
    const { density } = await gate.ensureCompressionBeforeSend('2');
    return { density, gate, history };
  }

  test('applies at once by default', async () => {
    expect((await play('every-turn', MINUTE_MS)).density.kind).toBe('applied');
  });

  test('delays edits while applying costs more than it saves, and applies them once the cache expired', async () => {
    const { density, gate, history } = await play('when-it-pays', MINUTE_MS);
    expect(density).toMatchObject({ kind: 'waiting' });
    expect(history.length()).toBe(6);
    expect((await play('when-it-pays', 6 * MINUTE_MS)).density.kind).toBe('applied');
    const hour = { 'compression.density.cacheMinutes': 60 };
    expect((await play('when-it-pays', 6 * MINUTE_MS, hour)).density.kind).toBe('waiting');
    // Pending edits are not forgotten: an explicit request applies them.
    expect((await gate.ensureDensityOptimized()).kind).toBe('applied');
    expect(history.length()).toBe(4);
  });
});
