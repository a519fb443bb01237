import type { FaultyUpstream } from './faulty-upstream.ts';
import { hardBodies } from './hard-bodies.ts';
import { putBackAlike } from './put-back.ts';
import { slowBodies } from './slow-bodies.ts';
import { ProxyWithoutFaults } from './without-faults.ts';

/**
 * Sends each hard body twice through a proxy whose store is shared, and a conversation whose lines are put back. Returns
 * what is wrong: each has to be answered, those with slow texts in `longestMs`.
 */
export async function sendHardRequests(
  upstream: FaultyUpstream,
  base: URL,
  longestMs: number,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const proxy = new ProxyWithoutFaults(upstream);
  await proxy.start(base);
  const sendTwice = async (name: string, path: string, body: Buffer): Promise<number> => {
    let slowestMs = 0;
    for (const time of ['first', 'second']) {
      const { got, seen, ownMs } = await proxy.send(name, path, body);
      if (got?.status !== 200) problems.push(`${name}, the ${time} time: ${got?.status ?? 'no answer'}`);
      if (seen.length !== 1) problems.push(`${name}, the ${time} time: the provider was asked ${seen.length} times`);
      slowestMs = Math.max(slowestMs, ownMs);
    }
    return slowestMs;
  };
  for (const { name, path, body } of hardBodies()) await sendTwice(name, path, body);
  for (const { name, path, body } of slowBodies()) {
    const slowestMs = await sendTwice(name, path, body);
    if (slowestMs > longestMs) problems.push(`took ${Math.round(slowestMs)} ms: ${name}`);
  }
  problems.push(...(await putBackAlike(proxy)));
  await proxy.close();
  return problems;
}
