import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Accepted } from '../../src/strict-provider/contract.ts';
import { providerServer, type ServedRequest, type ServerOptions } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const BODY = {
  model: 'claude-opus-5-5',
  max_tokens: 100,
  system: [{ type: 'text', text: 'word '.repeat(2000), cache_control: { type: 'ephemeral' } }],
  messages: [{ role: 'user', content: 'a' }],
};
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(options: Partial<ServerOptions>): Promise<string> {
  const server = providerServer(new StrictProvider(), { now: () => NOW, ...options });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`;
}
const post = (url: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(url, { method: 'POST', body: JSON.stringify({ ...BODY, ...body }), ...(signal && { signal }) });

/** What a server serves, in order; `next` waits for the next. */
function recorder(): { onServed: (one: ServedRequest) => void; next(): Promise<ServedRequest> } {
  const served: ServedRequest[] = [];
  let told = (): void => {};
  return {
    onServed: (one) => {
      served.push(one);
      told();
    },
    async next() {
      if (served.length === 0)
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      return served.shift()!;
    },
  };
}

describe('the server', () => {
  test('records each request: when, whether it was a ping, and what it read and wrote', async () => {
    const { onServed, next } = recorder();
    const url = await start({ onServed });
    await (await post(url, { stream: true })).text();
    const first = await next();
    expect(first).toMatchObject({ atMs: NOW, isPing: false, isEndedEarly: false });
    const { written } = (first.outcome as Accepted).tokens;
    await (await post(url, { max_tokens: 0 })).text();
    expect(await next()).toMatchObject({ isPing: true, outcome: { tokens: { read: written, written: 0, output: 0 } } });
    await (await post(url, { max_tokens: 1 })).text();
    expect(await next()).toMatchObject({ isPing: true });
    await (await post(url, { messages: [] })).text();
    expect(await next()).toMatchObject({ isPing: false, outcome: { status: 400 } });
  });

  test('lets pings say nothing of the script', async () => {
    const url = await start({ script: [{ text: 'first' }] });
    for (const max_tokens of [0, 1]) expect(await (await post(url, { max_tokens })).text()).not.toContain('first');
    expect(await (await post(url, {})).text()).toContain('first');
  });

  test('says what is left of its limits, and refuses in the words of the vendor', async () => {
    const loads = [
      { left: { requests: 0.15 } },
      { status: 429, left: { 'input-tokens': 0 }, retryAfterSeconds: 20 },
      { status: 529 },
    ] as const;
    let asked = 0;
    const { onServed, next } = recorder();
    const url = await start({ load: () => loads[asked++], onServed });
    const ok = await post(url, {});
    expect(ok.status).toBe(200);
    const share = (response: Response, limit: string): number => {
      const of = (part: string): number => Number(response.headers.get(`anthropic-ratelimit-${limit}-${part}`));
      return of('remaining') / of('limit');
    };
    expect(share(ok, 'requests')).toBeCloseTo(0.15, 6);
    expect(share(ok, 'input-tokens')).toBe(1);
    expect(ok.headers.get('anthropic-ratelimit-tokens-reset')).toBe('2026-11-29T12:01:00Z');
    expect(ok.headers.has('retry-after')).toBe(false);
    const limited = await post(url, {});
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('20');
    expect(share(limited, 'input-tokens')).toBe(0);
    expect(await limited.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    const overloaded = await post(url, {});
    expect(overloaded.status).toBe(529);
    expect(await overloaded.json()).toMatchObject({ error: { type: 'overloaded_error', message: 'Overloaded' } });
    expect((await next()).outcome.status).toBe(200);
    expect((await next()).outcome).toMatchObject({ status: 429 });
    expect((await next()).outcome).toMatchObject({ status: 529 });
  });

  test('refuses without touching the cache', async () => {
    const { onServed, next } = recorder();
    let asked = 0;
    const url = await start({ load: () => (asked++ === 0 ? { status: 429 } : undefined), onServed });
    await (await post(url, {})).text();
    await (await post(url, {})).text();
    await next();
    expect((await next()).outcome).toMatchObject({ tokens: { read: 0 } });
  });

  test('bills a stream that the client ends after its first event with the prompt alone', async () => {
    const { onServed, next } = recorder();
    const script = [{ text: 'many words of an answer that nobody reads' }];
    const url = await start({ script, waitMs: () => 5, onServed });
    const controller = new AbortController();
    const response = await post(url, { stream: true }, controller.signal);
    await response.body!.getReader().read();
    controller.abort();
    const { outcome, isEndedEarly } = await next();
    expect(isEndedEarly).toBe(true);
    expect((outcome as Accepted).tokens.written).toBeGreaterThan(2000);
    expect((outcome as Accepted).tokens.output).toBeLessThan(5);
  });

  test('can be slow, or never answer', async () => {
    const { onServed, next } = recorder();
    const url = await start({ waitMs: ({ isCount }) => (isCount ? 0 : Number.POSITIVE_INFINITY), onServed });
    const controller = new AbortController();
    const never = post(url, { max_tokens: 0 }, controller.signal);
    expect((await post(`${url}/count_tokens`, {})).status).toBe(200);
    expect(await next()).toMatchObject({ request: { isCount: true }, isPing: false });
    controller.abort();
    await expect(never).rejects.toThrow('aborted');
    expect(await next()).toMatchObject({ isPing: true, isEndedEarly: true });
  });
});
