import type { FaultyUpstream } from './faulty-upstream.ts';
import { hardBodies } from './hard-bodies.ts';
import { ProxyWithoutFaults } from './without-faults.ts';

/** Sends each hard body twice through a proxy whose store is shared. Returns what is wrong: each has to be answered. */
export async function sendHardBodies(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  const problems: string[] = [];
  const proxy = new ProxyWithoutFaults(upstream);
  await proxy.start(base);
  for (const { name, path, body } of hardBodies()) {
    for (const time of ['first', 'second']) {
      const { got, seen } = await proxy.send(name, path, body);
      if (got?.status !== 200) problems.push(`${name}, the ${time} time: ${got?.status ?? 'no answer'}`);
      if (seen.length !== 1) problems.push(`${name}, the ${time} time: the provider was asked ${seen.length} times`);
    }
  }
  await proxy.close();
  return problems;
}
