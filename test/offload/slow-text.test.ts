import { isDeepStrictEqual } from 'node:util';
import { BroadcastChannel } from 'node:worker_threads';
import { createHistoryService, PreSendGate, ThreadPool } from 'high-density';
import { getCompressionStrategy } from 'high-density/strategies';
import { afterAll, expect, test } from 'vitest';
import { gateOptions, MODEL } from '../contracts/engine.ts';
import { ai, answer, call, human } from '../history/entries.ts';

const SETTINGS = { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 1 } as const;
/** Each made an expression try very many ways to read it. */
const SLOW_TEXTS = [
  `Success. Updated the following files:\n${'A '.repeat(60)}\nX`,
  `${'\n'.repeat(80_000)}x`,
  `Tests: ${'1 a, '.repeat(16_000)}`,
];

const pool = new ThreadPool({
  minBytes: 0,
  workerFile: new URL('../fixtures/mortal-worker.mjs', import.meta.url),
  threads: 1,
  nowMs: () => 0,
});
afterAll(() => pool.close());

test('texts that are slow to match end a gate whose thread is lost as they end one inline', async () => {
  const channel = new BroadcastChannel('mortal-worker');
  const twins = (['offloaded', 'inline'] as const).map((engine) => {
    const history = createHistoryService({ engine, pool, model: MODEL });
    return {
      history,
      gate: new PreSendGate(
        history,
        gateOptions((name) => getCompressionStrategy(name), SETTINGS),
      ),
    };
  });
  for (const [at, text] of SLOW_TEXTS.entries()) {
    const entries = [human(`turn ${at}`), call(`c${at}`), answer(`c${at}`, text), ai('done')];
    for (const { history } of twins) history.addAll(entries);
    const runs = twins.map(({ gate }) => gate.ensureCompressionBeforeSend('p'));
    for (const parity of [0, 1]) channel.postMessage({ parity });
    const [report, expected] = await Promise.all(runs);
    expect(report).toEqual(expected);
    const [left, right] = twins.map(({ history }) => [history.getAll(), history.getTokensPerEntry()]);
    expect(isDeepStrictEqual(left, right)).toBe(true);
  }
  channel.close();
  expect(pool.stats().lostThreads).toBeGreaterThan(0);
  for (const { history } of twins) history.dispose();
});
