import type { FaultyUpstream } from './faulty-upstream.ts';
import { type HardBody, hardBodies } from './hard-bodies.ts';
import { slowBodies } from './slow-bodies.ts';
import { LONGEST_MS } from './stopwatch.ts';
import { ProxyWithoutFaults } from './without-faults.ts';

/** Sends each hard body twice through a proxy whose store is shared. Returns what is wrong: each has to be answered. */
export async function sendHardBodies(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  return sendEachTwice(hardBodies(), { upstream, base, longestMs: Number.POSITIVE_INFINITY });
}

/** Sends each body with a slow text twice. Returns what is wrong: each has to be answered soon. */
export async function sendSlowTexts(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  return sendEachTwice(slowBodies(), { upstream, base, longestMs: LONGEST_MS });
}

interface Ways {
  readonly upstream: FaultyUpstream;
  readonly base: URL;
  readonly longestMs: number;
}

async function sendEachTwice(
  bodies: Iterable<HardBody>,
  { upstream, base, longestMs }: Ways,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const proxy = new ProxyWithoutFaults(upstream);
  await proxy.start(base);
  for (const { name, path, body } of bodies) {
    for (const time of ['first', 'second']) {
      const { got, seen, ownMs } = await proxy.send(name, path, body);
      if (got?.status !== 200) problems.push(`${name}, the ${time} time: ${got?.status ?? 'no answer'}`);
      if (seen.length !== 1) problems.push(`${name}, the ${time} time: the provider was asked ${seen.length} times`);
      if (ownMs > longestMs) problems.push(`took ${Math.round(ownMs)} ms: ${name}, the ${time} time`);
    }
  }
  await proxy.close();
  return problems;
}
