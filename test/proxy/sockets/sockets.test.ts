import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ProxiedCall } from '../../../src/proxy/contract.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../../src/proxy/proxy.ts';
import { runs } from '../../property-runs.ts';

const PATH = '/tok/openai/v1/responses';

/** A provider of a test: keeps its end of each connection, with the request that opened it. */
let connected: (socket: WebSocket, request: IncomingMessage) => void;
let unanswered: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
let refusal: { status: number; headers: Record<string, string>; body: string } | undefined;
const server: Server = createServer((_, response) => response.writeHead(404).end('{}'));
const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
sockets.on('headers', (lines) => lines.push('openai-model: gpt-5.4'));
server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  if (unanswered !== undefined) return unanswered(request, socket, head);
  if (refusal === undefined) {
    sockets.handleUpgrade(request, socket, head, (one) => connected(one, request));
    return;
  }
  const { status, headers, body } = refusal;
  const lines = Object.entries({ ...headers, 'content-length': String(body.length) }).map((one) => one.join(': '));
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
});
let base: URL;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
afterAll(() => {
  for (const one of sockets.clients) one.terminate();
  server.close();
});
beforeEach(() => {
  connected = () => {};
  refusal = undefined;
  unanswered = undefined;
});

const open: RunningProxy[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const proxy of open.splice(0)) await proxy.close();
});

async function proxied(options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await startProxy({ mounts: [{ path: '/openai/v1', upstream: base }], token: 'tok', ...options });
  open.push(proxy);
  return proxy;
}

interface Pair {
  readonly agent: WebSocket;
  readonly provider: WebSocket;
  readonly asked: IncomingMessage;
  readonly answered: IncomingMessage;
}

/** Both ends of one connection through the proxy. */
async function pair(proxy: RunningProxy, headers: Record<string, string> = {}): Promise<Pair> {
  const arrived = new Promise<[WebSocket, IncomingMessage]>((resolve) => {
    connected = (...both) => resolve(both);
  });
  const agent = new WebSocket(`ws://127.0.0.1:${proxy.port}${PATH}`, { headers });
  const answer = once(agent, 'upgrade') as Promise<[IncomingMessage]>;
  const opened = once(agent, 'open');
  const [[provider, asked], [answered]] = await Promise.all([arrived, answer, opened]);
  return { agent, provider, asked, answered };
}

const next = async (socket: WebSocket): Promise<{ data: Buffer; isBinary: boolean }> => {
  const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
  return { data, isBinary };
};

/** An upgrade as it is written by hand. */
function asking({ port }: RunningProxy, path = PATH, headers: readonly string[] = []): Socket {
  const socket = connect(port, '127.0.0.1');
  const host = headers.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`];
  const own = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(`GET ${path} HTTP/1.1\r\n${[...host, ...own, key, ...headers].join('\r\n')}\r\n\r\n`);
  return socket;
}

/** The status line and what follows of an upgrade that is refused. */
async function refused(proxy: RunningProxy, path = PATH, headers: readonly string[] = []): Promise<string> {
  const socket = asking(proxy, path, headers);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('a WebSocket', () => {
  test('is opened with the headers of the agent, and answered with those of the provider', async () => {
    const { agent, asked, answered } = await pair(await proxied(), { authorization: 'Bearer k', 'session-id': 's' });
    expect(asked.url).toBe('/v1/responses');
    expect(asked.headers).toMatchObject({ authorization: 'Bearer k', 'session-id': 's', host: base.host });
    expect(asked.headers['sec-websocket-extensions']).toBeUndefined();
    expect(answered.headers['openai-model']).toBe('gpt-5.4');
    agent.terminate();
  });

  test('carries every frame as it came, in its order, both ways', async () => {
    const proxy = await proxied();
    const frames = fc.array(
      fc.oneof(
        fc.record({ isBinary: fc.constant(true), data: fc.uint8Array({ maxLength: 100_000 }) }),
        fc.record({ isBinary: fc.constant(false), data: fc.string({ unit: 'binary' }) }),
        fc.record({ isBinary: fc.constant(false), data: fc.json() }),
      ),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(frames, fc.boolean(), async (sent, isUp) => {
        const { agent, provider } = await pair(proxy);
        const [from, to] = isUp ? [agent, provider] : [provider, agent];
        const got: { data: Buffer; isBinary: boolean }[] = [];
        const all = new Promise<void>((resolve) => {
          to.on('message', (data: Buffer, isBinary) => {
            got.push({ data, isBinary });
            if (got.length === sent.length) resolve();
          });
        });
        for (const { data, isBinary } of sent) from.send(data, { binary: isBinary });
        await all;
        agent.terminate();
        expect(got).toEqual(sent.map(({ data, isBinary }) => ({ data: Buffer.from(data), isBinary })));
      }),
      { numRuns: runs(30) },
    );
  });

  test('carries a frame that comes in parts as one', async () => {
    const { agent, provider } = await pair(await proxied());
    agent.send('{"type":', { fin: false });
    agent.send('"x"}', { fin: true });
    expect((await next(provider)).data.toString()).toBe('{"type":"x"}');
    agent.terminate();
  });

  test('carries pings and what answers them', async () => {
    const { agent, provider } = await pair(await proxied());
    provider.ping('are you there');
    const [[ping], [pong]] = await Promise.all([once(agent, 'ping'), once(provider, 'pong')]);
    expect([String(ping), String(pong)]).toEqual(['are you there', 'are you there']);
    agent.terminate();
  });

  test.each([
    ['agent', 1000, 'done'],
    ['agent', 4001, 'own'],
    ['provider', 1012, 'restart'],
    ['provider', 1001, ''],
  ])('that the %s closes with %i is closed with it at the other end', async (who, code, reason) => {
    const { agent, provider } = await pair(await proxied());
    const [from, to] = who === 'agent' ? [agent, provider] : [provider, agent];
    from.close(code, reason);
    const [gotCode, gotReason] = (await once(to, 'close')) as [number, Buffer];
    expect([gotCode, gotReason.toString()]).toEqual([code, reason]);
  });

  test('that breaks off at one end breaks off at the other one', async () => {
    const proxy = await proxied();
    for (const isAgent of [true, false]) {
      const { agent, provider } = await pair(proxy);
      const [from, to] = isAgent ? [agent, provider] : [provider, agent];
      from.terminate();
      expect((await once(to, 'close'))[0]).toBe(1006);
    }
  });

  test('whose reader is slow is not read further, and loses nothing', async () => {
    const { agent, provider } = await pair(await proxied());
    agent.pause();
    const frame = Buffer.alloc(1024 * 1024, 'x');
    const COUNT = 64;
    for (let at = 0; at < COUNT; at++) provider.send(frame);
    for (let before = 0; before !== provider.bufferedAmount; await delay(50)) before = provider.bufferedAmount;
    // What the proxy and the system take is a small part of it.
    expect(provider.bufferedAmount).toBeGreaterThan((COUNT / 2) * frame.length);
    let got = 0;
    const all = new Promise<void>((resolve) => {
      agent.on('message', (data: Buffer) => {
        got += data.length;
        if (got === COUNT * frame.length) resolve();
      });
    });
    agent.resume();
    await all;
    agent.terminate();
  });

  test('with a message of more than 34 MB is ended at both ends', async () => {
    const { agent, provider } = await pair(await proxied());
    const ended = Promise.all([once(agent, 'close'), once(provider, 'close')]);
    agent.on('error', () => {});
    agent.send(Buffer.alloc(34 * 1024 * 1024 + 1));
    const [, [code]] = await ended;
    expect(code).toBe(1009);
  });

  test('ends with the proxy', async () => {
    const proxy = await proxied();
    const { agent, provider } = await pair(proxy);
    const ended = Promise.all([once(agent, 'close'), once(provider, 'close')]);
    await proxy.close(10_000);
    await ended;
  });

  test('is opened for an agent that names a protocol twice', async () => {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      connected = (_, request) => resolve(request);
    });
    const agent = asking(await proxied(), PATH, ['Sec-WebSocket-Protocol: a, b,a']);
    const [answer] = (await once(agent, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 101 .*^Sec-WebSocket-Protocol: a\r$/ms);
    expect((await arrived).headers['sec-websocket-protocol']).toBe('a,b');
    agent.destroy();
  });

  test('carries what the agent sent before it was answered', async () => {
    const provider = new Promise<() => Promise<WebSocket>>((resolve) => {
      unanswered = (...upgrade) =>
        resolve(() => new Promise((accepted) => sockets.handleUpgrade(...upgrade, (one) => accepted(one))));
    });
    const agent = asking(await proxied());
    const accept = await provider;
    const MASKED_BRACES = Buffer.from('8182000000007b7d', 'hex');
    await new Promise<void>((resolve) => agent.write(MASKED_BRACES, () => resolve()));
    expect((await next(await accept())).data.toString()).toBe('{}');
    agent.destroy();
  });

  test('reports the call that an answer on it was', async () => {
    const calls: ProxiedCall[] = [];
    const { agent, provider } = await pair(await proxied({ onCall: (call) => calls.push(call) }));
    agent.send('{"type":"response.create","model":"gpt-5.4","input":[]}');
    await next(provider);
    const over = new Promise<void>((resolve) => {
      agent.on('message', (data: Buffer) => data.includes('completed') && resolve());
    });
    provider.send('{"type":"codex.rate_limits"}');
    provider.send('{"type":"response.created","response":{"id":"r1","model":"gpt-5.4"}}');
    const usage = { input_tokens: 7, input_tokens_details: { cached_tokens: 3 }, output_tokens: 2 };
    const response = { id: 'r1', status: 'completed', model: 'gpt-5.4', output: [], usage };
    provider.send(JSON.stringify({ type: 'response.completed', response }));
    await over;
    expect(calls).toEqual([
      expect.objectContaining({ api: 'openai-responses', isCount: false, model: 'gpt-5.4', status: 200 }),
    ]);
    expect(calls[0]!.usage).toMatchObject({ promptTokens: 7, cachedTokens: 3, outputTokens: 2 });
    agent.terminate();
  });
});

describe('an agent that leaves before its upgrade is answered', () => {
  test.each([
    ['nothing', ''],
    ['half a status line', 'HTTP/1.1 101 Switch'],
    ['a part of a refusal', 'HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\nabc'],
  ])('gives its place back where the provider said %s', async (_, said) => {
    const ended = new Promise<void>((resolve) => {
      unanswered = (_request, socket) => {
        socket
          .on('error', () => resolve())
          .on('end', resolve)
          .resume();
        socket.write(said, () => agent.end());
      };
    });
    const troubles: string[] = [];
    const agent = asking(await proxied({ onTrouble: (what) => troubles.push(what) }));
    agent.resume();
    await ended;
    expect(troubles).toEqual([]);
  });
});

describe('an upgrade is refused', () => {
  test('that names a protocol as no server accepts it', async () => {
    const troubles: string[] = [];
    const proxy = await proxied({ onTrouble: (what) => troubles.push(what) });
    expect(await refused(proxy, PATH, ['Sec-WebSocket-Protocol: a b'])).toMatch(/^HTTP\/1\.1 400 /);
    expect(troubles).toEqual([]);
  });

  test.each<[string, string, string[], number]>([
    ['without the token', '/other/openai/v1/responses', [], 404],
    ['with `..`', '/tok/openai/../v1/responses', [], 400],
    ['with a foreign Host', PATH, ['Host: evil.example'], 403],
    ['of a web page', PATH, ['Origin: https://evil.example'], 403],
    ['for a path of no provider', '/tok/else/v1/responses', [], 426],
    ['for another API', '/tok/openai/v1/realtime', [], 426],
    ['for a summary', '/tok/openai/v1/responses/compact', [], 426],
  ])('%s', async (_, path, headers, status) => {
    expect(await refused(await proxied(), path, headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('in a proxy of a team', async () => {
    const proxy = await proxied({ door: async () => undefined });
    expect(await refused(proxy)).toMatch(/^HTTP\/1\.1 426 /);
  });

  test.each([404, 405, 426, 501])('where the provider knows none and answers %i: HTTP remains', async (status) => {
    refusal = { status, headers: {}, body: 'no' };
    expect(await refused(await proxied())).toMatch(/^HTTP\/1\.1 426 /);
  });

  test('as the provider refuses it, with its headers and body', async () => {
    refusal = { status: 429, headers: { 'retry-after': '7' }, body: '{"error":"slow down"}' };
    const answer = await refused(await proxied());
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/retry-after: 7\r\n/);
    expect(answer).toMatch(/\{"error":"slow down"\}$/);
  });

  test('where the provider cannot be reached', async () => {
    const troubles: string[] = [];
    const mounts = [{ path: '/openai/v1', upstream: new URL('http://127.0.0.1:9/v1') }];
    const proxy = await proxied({ mounts, onTrouble: (what) => troubles.push(what) });
    expect(await refused(proxy)).toMatch(/^HTTP\/1\.1 502 /);
    expect(troubles).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 could not be reached/)]);
  });

  test.each([
    ['leads through a proxy of the environment', {}, 426],
    ['would, but for `NO_PROXY`', { NO_PROXY: 'a.example,.unreachable.invalid' }, 502],
    ['is to a host with a port that `NO_PROXY` names', { no_proxy: 'api.unreachable.invalid:9' }, 502],
    ['is to another port than `NO_PROXY` names', { NO_PROXY: 'api.unreachable.invalid:10' }, 426],
  ])('where the way to the provider %s', async (_, environment, status) => {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'])
      vi.stubEnv(name, '');
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const mounts = [{ path: '/openai/v1', upstream: new URL('http://api.unreachable.invalid:9/v1') }];
    expect(await refused(await proxied({ mounts }))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('where there are 64', async () => {
    const proxy = await proxied();
    const pairs: Pair[] = [];
    for (let at = 0; at < 64; at++) pairs.push(await pair(proxy));
    expect(await refused(proxy)).toMatch(/^HTTP\/1\.1 426 /);
    pairs[0]!.agent.terminate();
    await once(pairs[0]!.provider, 'close');
    await pair(proxy);
    for (const { agent } of pairs) agent.terminate();
  });
});
