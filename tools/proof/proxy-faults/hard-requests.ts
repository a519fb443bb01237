import { Agent } from 'node:http';
import { liveChanges } from '../../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { startProxy } from '../../../src/proxy/proxy.ts';
import { exchange } from './exchange.ts';
import { type FaultyUpstream, PLAN_HEADER, type Plan } from './faulty-upstream.ts';
import { hardBodies } from './hard-bodies.ts';

/** Sends each hard body twice through a proxy whose store is shared. Returns what is wrong: each has to be answered, and arrives as it was. */
export async function sendHardRequests(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  const problems: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const store = { ...memoryStore(), isShared: true };
  const proxy = await startProxy({
    mounts: [{ path: '', upstream: base }],
    token: 'token',
    change: liveChanges({ workspaceRoot: '/', store, archive: async () => {} }),
  });
  for (const { name, path, body } of hardBodies()) {
    for (const time of ['first', 'second']) {
      const plan: Plan = {
        fault: undefined,
        original: body,
        answer: Buffer.from('data: {}\n\n'),
        isNew: () => true,
        seen: [],
      };
      const headers = { 'x-session-id': name, [PLAN_HEADER]: encodeURIComponent(name) };
      upstream.plans.set(encodeURIComponent(name), plan);
      const got = await exchange({ url: `${proxy.url}${path}`, agent, headers, body });
      if (got?.status !== 200) problems.push(`${name}, the ${time} time: ${got?.status ?? 'no answer'}`);
      if (plan.seen.length !== 1)
        problems.push(`${name}, the ${time} time: the provider was asked ${plan.seen.length} times`);
      upstream.plans.delete(encodeURIComponent(name));
    }
  }
  agent.destroy();
  await proxy.close();
  return problems;
}
