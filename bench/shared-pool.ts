import { setTimeout as sleep } from 'node:timers/promises';
import { ThreadPool } from '../src/offload/thread-pool.ts';
import { packageFile } from '../src/package-file.ts';
import { serve } from './child.ts';
import { checkTotal, type GatedHistory, gatedHistory, type OwnSession, ownSession } from './gated-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';

const TOKENS_EACH = 20_000;
/** Turns of all histories together. */
const ALL_TURNS = 400;
const NEIGHBOURS = 9;
const NEIGHBOUR_TURNS = 40;
const EVERY_MS = 100;
const TIMES_THE_WORK = 10;
const FAIR_ROUNDS = 3;

/** One history after the other is asked as soon as it has answered. */
export interface PoolSamples {
  readonly gateMs: number[];
  readonly turnsPerS: number;
}

/** Gate latencies of the neighbours, one list for each round. */
export interface FairnessSamples {
  readonly aloneMs: number[][];
  readonly besideMs: number[][];
}

function newPool(): ThreadPool {
  return new ThreadPool({ workerFile: packageFile('dist/workers/engine.js'), minBytes: 0 });
}

async function startedHistories(count: number, session: OwnSession, pool: ThreadPool): Promise<GatedHistory[]> {
  const all = Array.from({ length: count }, () => gatedHistory('offloaded', { ...session, pool }));
  for (const { history, gate } of all) {
    await history.addInSlices(session.entries);
    await gate.ensureCompressionBeforeSend('first');
  }
  return all;
}

async function turnMs({ history, gate }: GatedHistory, turns: OrdinaryTurns, times = 1): Promise<number> {
  const entries = Array.from({ length: times }, () => turns.next()).flat();
  const startedAt = performance.now();
  for (const entry of entries) history.add(entry);
  await gate.ensureCompressionBeforeSend('turn');
  return performance.now() - startedAt;
}

/** That many histories on one pool, each asking again as soon as it is answered. */
async function crowd({ histories }: { readonly histories: number }): Promise<PoolSamples> {
  const [session, turns, pool] = [ownSession(TOKENS_EACH), new OrdinaryTurns(), newPool()];
  const all = await startedHistories(histories, session, pool);
  const gateMs: number[] = [];
  const turnsEach = Math.max(3, Math.ceil(ALL_TURNS / histories));
  const startedAt = performance.now();
  await Promise.all(
    all.map(async (one) => {
      for (let turn = 0; turn < turnsEach; turn++) gateMs.push(await turnMs(one, turns));
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  for (const { history } of all) checkTotal(history);
  await pool.close();
  return { gateMs, turnsPerS: (1000 * gateMs.length) / elapsedMs };
}

/** Nine histories with a turn every 100 ms each, alone and beside one with ten times the work, in turns. */
async function fairness(): Promise<FairnessSamples> {
  const [session, turns, pool] = [ownSession(TOKENS_EACH), new OrdinaryTurns(), newPool()];
  const [heavy, ...neighbours] = await startedHistories(1 + NEIGHBOURS, session, pool);
  const samples: FairnessSamples = { aloneMs: [], besideMs: [] };
  const paced = async (one: GatedHistory, delayMs: number, gateMs: number[]): Promise<void> => {
    await sleep(delayMs);
    for (let turn = 0; turn < NEIGHBOUR_TURNS; turn++) {
      const ms = await turnMs(one, turns);
      gateMs.push(ms);
      await sleep(Math.max(0, EVERY_MS - ms));
    }
  };
  for (let round = 0; round < FAIR_ROUNDS; round++) {
    for (const isBeside of [false, true]) {
      const gateMs: number[] = [];
      let isOver = false;
      const work = async (): Promise<void> => {
        while (isBeside && !isOver) {
          const ms = await turnMs(heavy!, turns, TIMES_THE_WORK);
          await sleep(Math.max(0, EVERY_MS - ms));
        }
      };
      const working = work();
      await Promise.all(neighbours.map((one, index) => paced(one, (index * EVERY_MS) / NEIGHBOURS, gateMs)));
      isOver = true;
      await working;
      (isBeside ? samples.besideMs : samples.aloneMs).push(gateMs);
    }
  }
  for (const { history } of [heavy!, ...neighbours]) checkTotal(history);
  await pool.close();
  return samples;
}

serve<never>(import.meta.filename, { crowd, fairness });
