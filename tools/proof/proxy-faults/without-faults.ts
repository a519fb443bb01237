import { Agent } from 'node:http';
import { liveChanges } from '../../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { type RunningProxy, startProxy } from '../../../src/proxy/proxy.ts';
import { exchange, type Got } from './exchange.ts';
import { type FaultyUpstream, PLAN_HEADER, type Plan, type UpstreamFault } from './faulty-upstream.ts';

export interface AnsweredBody {
  readonly got: Got | undefined;
  /** What the provider saw. */
  readonly seen: readonly Buffer[];
}

/** A proxy with a shared store and a clock, and its agent; only the bodies are hard. */
export class ProxyWithoutFaults {
  clockMs = Date.now();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #upstream: FaultyUpstream;
  #proxy: RunningProxy | undefined;

  constructor(upstream: FaultyUpstream) {
    this.#upstream = upstream;
  }

  async start(base: URL): Promise<void> {
    const store = { ...memoryStore(), isShared: true };
    const change = liveChanges({ workspaceRoot: '/', store, now: () => this.clockMs, archive: async () => {} });
    this.#proxy = await startProxy({ mounts: [{ path: '', upstream: base }], token: 'token', change });
  }

  /** Sends a body of the session of that name; its provider answers as `fault` says. */
  async send(name: string, path: string, body: Buffer, fault?: UpstreamFault): Promise<AnsweredBody> {
    const key = encodeURIComponent(name);
    const answer = Buffer.from('data: {}\n\n');
    const plan: Plan = { fault, original: body, answer, isNew: () => true, seen: [] };
    this.#upstream.plans.set(key, plan);
    const headers = { 'x-session-id': key, [PLAN_HEADER]: key };
    const got = await exchange({ url: `${this.#proxy!.url}${path}`, agent: this.#agent, headers, body });
    this.#upstream.plans.delete(key);
    return { got, seen: plan.seen };
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#proxy?.close();
  }
}
