import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../../bench/random.ts';
import { MINUTE_MS } from '../../../src/durations.ts';
import { pingAfterMs } from '../../../src/economics/warm/keep-warm.ts';
import type { PrunerStore } from '../../../src/live/contract.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { runs } from '../../property-runs.ts';
import { LIFETIME_MS, TrialProvider, TrialTalk, TrialTime, WarmTrial } from './warm-trial.ts';

/** The first run; `SEED` tries others, and more of them. */
const FIRST = Number(process.env['SEED'] ?? 1);
const RUNS = runs(200);
const STEPS = 14;
/** Half of the margin before a ping is due: timers of a computer are not exact. */
const EARLY_MS = (LIFETIME_MS - pingAfterMs(LIFETIME_MS)) / 2;

interface World {
  readonly time: TrialTime;
  readonly provider: TrialProvider;
  readonly processes: WarmTrial[];
  readonly talks: readonly TrialTalk[];
  readonly start: () => WarmTrial;
  readonly random: Random;
  isOn: boolean;
}

/** A request of one of the conversations, through one of the processes. */
async function ask({ processes, talks, random }: World, options: Parameters<WarmTrial['ask']>[1] = {}): Promise<void> {
  const calls = random.next() < 0.6 ? { calls: 'Bash' } : {};
  await random.pick(processes).ask(random.pick(talks), { ...calls, ...options });
}

function well(world: World): World {
  const { provider } = world;
  provider.isGone = false;
  provider.pingMs = 0;
  provider.load = {};
  world.isOn = true;
  return world;
}

const FAULTS: Readonly<Record<string, (world: World) => unknown>> = {
  'a request': (world) => ask(world),
  'another request': (world) => ask(world),
  'a request in a well world': (world) => ask(well(world)),
  '429': (world) => ask(world, { load: { status: 429 } }),
  '529 for pings': ({ provider }) => {
    provider.load = { status: 529 };
  },
  'a near limit': (world) => ask(world, { load: { left: { requests: 0.1 } } }),
  'a hang-up': (world) => ask(world, { isBrokenOff: true }),
  'a slow answer': (world) => ask(world, { tookMs: world.random.next() * 8 * MINUTE_MS }),
  'slow pings': ({ provider, random }) => {
    provider.pingMs = random.next() * MINUTE_MS;
  },
  'pings that never end': ({ provider }) => {
    provider.pingMs = Number.POSITIVE_INFINITY;
  },
  'no network': ({ provider }) => {
    provider.isGone = true;
  },
  sleep: ({ time, random }) => time.sleep(random.next() * 20 * MINUTE_MS),
  'a short sleep': ({ time, random }) => time.sleep(random.next() * MINUTE_MS),
  'a clock set forward': ({ time, random }) => time.set(random.next() * 10 * MINUTE_MS),
  'a clock set back': ({ time, random }) => time.set(-random.next() * 10 * MINUTE_MS),
  'a process that is killed, and another one': ({ processes, random, start }) => {
    const at = random.integer(processes.length);
    processes[at]!.kill();
    processes[at] = start();
  },
  'a token removed': ({ processes, random, start }) => {
    const at = random.integer(processes.length);
    processes[at]!.keeper.close();
    expect(processes[at]!.held.bytes).toBe(0);
    processes[at] = start();
  },
  off: (world) => {
    world.isOn = false;
  },
};

/** Others' stores answer when they like. */
const slowStore = (store: PrunerStore): PrunerStore => ({
  load: async (...given) => {
    await Promise.resolve();
    return store.load(...given);
  },
  append: async (...given) => {
    await new Promise((resolve) => setImmediate(resolve));
    return store.append(...given);
  },
});

/** Plays one run of random faults; returns how many pings it had. */
async function played(seed: number): Promise<number> {
  const random = seededRandom(seed);
  const time = new TrialTime();
  const provider = new TrialProvider(time);
  const [store, pingStore] = [slowStore(memoryStore()), slowStore(memoryStore())];
  const isOneAgent = random.next() < 0.7;
  const start = (): WarmTrial =>
    new WarmTrial({ time, provider, store, pingStore, isOneAgent, isAllowed: async () => world.isOn });
  const talks = [new TrialTalk('one'), new TrialTalk('other')];
  const world: World = { time, provider, processes: [], talks, start, random, isOn: true };
  world.processes.push(start(), start());
  for (const talk of talks) for (let call = 0; call < 4; call++) await world.processes[0]!.ask(talk, { calls: 'Bash' });
  for (let step = 0; step < STEPS; step++) {
    const name = random.pick(Object.keys(FAULTS));
    const before = provider.pings.length;
    await FAULTS[name]!(world);
    await time.pass(random.next() * 12 * MINUTE_MS);
    if (!world.isOn) expect(provider.pings.length, `seed ${seed}: pings although it is off`).toBe(before);
  }
  const lastAt = new Map<string, number>();
  for (const { conversation, atMs, idleMs } of provider.pings) {
    const what = `seed ${seed}, ${conversation} at ${atMs}`;
    expect(idleMs, `late: ${what}`).toBeLessThanOrEqual(LIFETIME_MS);
    const last = lastAt.get(conversation) ?? Number.NEGATIVE_INFINITY;
    expect(atMs - last, `twice in one lifetime: ${what}`).toBeGreaterThanOrEqual(pingAfterMs(LIFETIME_MS) - EARLY_MS);
    lastAt.set(conversation, atMs);
  }
  for (const { keeper, held } of world.processes) {
    keeper.close();
    expect(held.bytes, `seed ${seed}: bytes after the end`).toBe(0);
  }
  return provider.pings.length;
}

test('whatever fails, no ping is late, and none is the second in a lifetime of its conversation', async () => {
  let pings = 0;
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) pings += await played(seed);
  expect(pings).toBeGreaterThan(RUNS);
}, 600_000);
