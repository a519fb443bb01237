import { isDeepStrictEqual } from 'node:util';
import { BroadcastChannel } from 'node:worker_threads';
import { createHistoryService, type HistoryService, PreSendGate, ThreadPool } from 'high-density';
import { getCompressionStrategy } from 'high-density/strategies';
import { afterAll, expect, test } from 'vitest';
import { type Random, seededRandom } from '../../bench/random.ts';
import type { IContent } from '../../src/content/content.ts';
import { gateOptions, MODEL } from '../contracts/engine.ts';
import { ai, answer, call, human } from '../history/entries.ts';

const HISTORIES = 8;
const TURNS = 800;
const TURNS_BETWEEN_KILLS = 50;
/** Turns of so many histories run at the same time. */
const AT_ONCE = 4;
const SETTINGS = {
  'compression.density.recencyPruning': true,
  'compression.density.recencyRetention': 2,
  'context-limit': 8_000,
} as const;

const pool = new ThreadPool({
  minBytes: 0,
  workerFile: new URL('../fixtures/mortal-worker.mjs', import.meta.url),
  threads: 2,
  nowMs: () => 0,
});
afterAll(() => pool.close());

interface Twin {
  readonly history: HistoryService;
  readonly gate: PreSendGate;
}

function createTwin(engine: 'inline' | 'offloaded'): Twin {
  const history = createHistoryService({ engine, pool, model: MODEL });
  return {
    history,
    gate: new PreSendGate(history, {
      ...gateOptions((name) => getCompressionStrategy(name), SETTINGS),
      // So much is kept for the answer that the hard limit is met before the threshold.
      completionBudgetTokens: 4_000,
    }),
  };
}

let calls = 0;
function turnEntries(random: Random): IContent[] {
  const rounds = Array.from({ length: 1 + random.integer(3) }, () => {
    const id = `call-${++calls}`;
    return [call(id), answer(id, `${random.hex(8)} text of a file\n`.repeat(1 + random.integer(40)))];
  });
  return [human(`turn ${random.hex(4)}`), ...rounds.flat(), ai('done')];
}

const stateOf = ({ history }: Twin) => ({
  entries: history.getAll(),
  tokens: history.getTokensPerEntry(),
  total: history.getTotalTokens(),
});

test('800 turns of 8 histories, a thread killed every 50: equal to the inline engine at every turn', async () => {
  const random = seededRandom(3);
  const channel = new BroadcastChannel('mortal-worker');
  const pairs = Array.from({ length: HISTORIES }, () => ({
    offloaded: createTwin('offloaded'),
    inline: createTwin('inline'),
  }));
  const reports: { kind: string }[] = [];
  const turn = async ({ offloaded, inline }: (typeof pairs)[number]): Promise<void> => {
    const entries = turnEntries(random);
    for (const { history } of [offloaded, inline]) history.addAll(entries);
    const [report, expected] = await Promise.all([
      offloaded.gate.ensureCompressionBeforeSend('p'),
      inline.gate.ensureCompressionBeforeSend('p'),
    ]);
    const left = { report, ...stateOf(offloaded) };
    const right = { report: expected, ...stateOf(inline) };
    // The matcher explains a difference, but takes thirty times as long to find none.
    if (!isDeepStrictEqual(left, right)) expect(left).toEqual(right);
    reports.push(report.enforcement);
  };
  for (let done = 0; done < TURNS; done += AT_ONCE) {
    const running = random.shuffle(pairs).slice(0, AT_ONCE).map(turn);
    if (done % TURNS_BETWEEN_KILLS < AT_ONCE) channel.postMessage({ parity: random.integer(2) });
    await Promise.all(running);
  }
  channel.close();
  expect(reports).toHaveLength(TURNS);
  expect(reports.filter(({ kind }) => kind === 'enforced').length).toBeGreaterThan(8);
  expect(pool.stats().lostThreads).toBeGreaterThan(8);
  const stats = pairs.map(({ offloaded }) => offloaded.history.engine.stats());
  expect(stats.reduce((sum, { resyncs }) => sum + resyncs, 0)).toBeGreaterThan(8);
  for (const { offloaded } of pairs) offloaded.history.dispose();
}, 300_000);
