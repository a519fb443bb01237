import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../bench/random.ts';
import type { RedisServer } from '../../../test/fleet/redis-server.ts';
import type { Weather } from './relay.ts';
import type { ServeProcess } from './serve-process.ts';

const FAULT_MS = 3_000;
const NO_REDIS_MS = 500;

/** Comes back when the fault is over: processes have been started again, the network is whole. */
type Fault = (nodes: readonly ServeProcess[], server: RedisServer, random: Random) => Promise<void>;

async function restarted(node: ServeProcess): Promise<void> {
  await node.kill();
  await node.start();
}

const badNetwork =
  (weather: Weather): Fault =>
  async (nodes, _, random) => {
    const { relay } = random.pick([...nodes]);
    relay.set(weather);
    await wait(FAULT_MS);
    relay.set('pass');
  };

/** What may happen while turns are sent, by its name; the first is nothing. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  none: async () => {},
  'a process is killed': (nodes, _, random) => restarted(random.pick([...nodes])),
  'all processes are killed': async (nodes) => {
    await Promise.all(nodes.map(restarted));
  },
  'a process is stopped and continues': async (nodes, _, random) => {
    const node = random.pick([...nodes]);
    node.signal('SIGSTOP');
    await wait(FAULT_MS);
    node.signal('SIGCONT');
  },
  'Redis is killed and comes back': async (_nodes, server) => {
    await server.kill();
    await wait(NO_REDIS_MS);
    await server.start();
  },
  'a process is cut off from Redis': badNetwork('hold'),
  'its connection is half open': badNetwork('drop'),
  'its bytes come one by one': badNetwork('drip'),
};
