import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChangeRequest, OutgoingRequest } from '../../src/live/exchange/contract.ts';
import { headerPairs } from '../../src/proxy/answer/error-text.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import type { Place } from '../../src/proxy/intake/byte-room.ts';
import type { OwnMemory } from '../../src/proxy/intake/request-memory.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { UpstreamServer } from './upstream-server.ts';

const upstream = new UpstreamServer();
let base: URL;
beforeAll(async () => {
  base = await upstream.start();
});
afterAll(() => upstream.stop());
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.left = 0;
  upstream.answer = (response) => response.end('{}');
});

const open: RunningProxy[] = [];
afterEach(async () => {
  for (const proxy of open.splice(0)) await proxy.close();
});

async function proxied(options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await startProxy({ mounts: [{ path: '/anthropic', upstream: base }], token: 'tok', ...options });
  open.push(proxy);
  return proxy;
}

interface Answer {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly chunks: readonly Buffer[];
  readonly body: Buffer;
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Uint8Array | string;
}

const start = (
  { port }: RunningProxy,
  { path = '/tok/anthropic/v1/messages', method = 'POST', headers = {} }: Asked,
): ClientRequest => httpRequest({ host: '127.0.0.1', port, path, method, headers });

async function ask(proxy: RunningProxy, asked: Asked = {}): Promise<Answer> {
  const request = start(proxy, asked);
  request.end(asked.body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // The proxy of a test may end while the rest of a body is on its way.
  request.on('error', () => {});
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(response, 'end');
  const { statusCode = 0, rawHeaders, headers } = response;
  return { status: statusCode, rawHeaders, headers, chunks, body: Buffer.concat(chunks) };
}

const change =
  (to: string, seen: OutgoingRequest[] = [], answers: unknown[] = []): ChangeRequest =>
  async (request) => {
    seen.push(request);
    return { body: Buffer.from(to), answered: (answer) => void answers.push(answer) };
  };

/** Pieces with another encoding each, odd bytes, and a duplicate header. */
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":3,"cache_read_input_tokens":70,"cache_creation_input_tokens":20,"cache_creation":{"ephemeral_1h_input_tokens":5},"output_tokens":1}}}\n\n';
const DELTA = 'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":42}}\n\n';
const USAGE = { promptTokens: 93, cachedTokens: 70, writtenTokens: 15, writtenHourTokens: 5, outputTokens: 42 };

describe('a request', () => {
  test('goes through byte for byte, with its headers in order, duplicates included', async () => {
    const proxy = await proxied();
    const body = '{"big":12345678901234567890,"dup":1,"dup":2,"lone":"\\ud800"}';
    const headers = { 'X-Api-Key': 'k', 'anthropic-beta': ['a', 'b'], 'X-Odd': '  spaced ' };
    await ask(proxy, { path: '/tok/anthropic/v1/messages?beta=true', headers, body });
    const [seen] = upstream.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/messages?beta=true' });
    expect(seen!.body.toString()).toBe(body);
    const own = headerPairs(seen!.rawHeaders).filter(([name]) => name in headers);
    expect(own).toEqual([
      ['X-Api-Key', 'k'],
      ['anthropic-beta', 'a'],
      ['anthropic-beta', 'b'],
      ['X-Odd', 'spaced'],
    ]);
    expect(seen!.headers.host).toBe(base.host);
    expect(seen!.headers['content-length']).toBe(String(body.length));
  });

  test('keeps what `Connection` names to this connection', async () => {
    await ask(await proxied(), { headers: { connection: 'keep-alive, X-Hop', 'X-Hop': 'here', 'X-End': 'there' } });
    expect(upstream.seen[0]!.headers).toMatchObject({ 'x-end': 'there' });
    expect(upstream.seen[0]!.headers).not.toHaveProperty('x-hop');
  });

  test('goes where its mount says: the path after it is added to the base URL', async () => {
    const mounts = [
      { path: '/openai/v1', upstream: new URL('/v1', base), chatGptUpstream: new URL('/backend-api/codex', base) },
    ];
    const proxy = await proxied({ mounts });
    await ask(proxy, { path: '/tok/openai/v1/responses' });
    await ask(proxy, { path: '/tok/openai/v1/responses', headers: { 'ChatGPT-Account-ID': 'a' } });
    await ask(proxy, { path: '/tok/openai/v1/models?limit=3', method: 'GET' });
    expect(upstream.seen.map(({ url }) => url)).toEqual([
      '/v1/responses',
      '/backend-api/codex/responses',
      '/v1/models?limit=3',
    ]);
    expect((await ask(proxy, { path: '/tok/other/v1/responses' })).status).toBe(404);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    // Node 20 cannot write zstd; written by Node 24.
    ['zstd', () => Buffer.from('KLUv/WDhAUUBAPB7Im1lc3NhZ2VzIjpbImFnYWluIGFuZCAiLDFdfQoCALtqFqZtGQM=', 'base64')],
  ])('with a body in %s is decoded to be looked at, and sent as it came if nothing changes', async (encoding, pack) => {
    const seen: OutgoingRequest[] = [];
    const proxy = await proxied({
      change: async (request) => {
        seen.push(request);
        return { body: request.body, answered: () => {} };
      },
    });
    const text = `{"messages":[${'"again and again",'.repeat(40)}1]}\n`;
    const packed = pack(Buffer.from(text));
    await ask(proxy, { headers: { 'content-encoding': encoding }, body: packed });
    expect(seen.map(({ body }) => Buffer.from(body).toString())).toEqual([text]);
    expect(upstream.seen[0]!.body.equals(packed)).toBe(true);
    expect(upstream.seen[0]!.headers['content-encoding']).toBe(encoding);
  });

  test('that changes is sent without its encoding and with its new length, and pruning gets the answer', async () => {
    const answers: unknown[] = [];
    upstream.answer = (response) => response.end('{"input_transformations":[{"type":"thinking_dropped"}]}');
    const proxy = await proxied({ change: change('{"changed":1}', [], answers) });
    await ask(proxy, { headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"messages":[]}') });
    expect(upstream.seen[0]!.body.toString()).toBe('{"changed":1}');
    expect(upstream.seen[0]!.headers).toMatchObject({ 'content-length': '13' });
    expect(upstream.seen[0]!.headers).not.toHaveProperty('content-encoding');
    expect(answers).toEqual([{ status: 200, isBound: true }]);
  });

  test('that bursts when it is decoded, is broken, or has an unknown encoding is sent as it came', async () => {
    const seen: OutgoingRequest[] = [];
    const proxy = await proxied({ change: change('never', seen) });
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
    for (const [encoding, body] of [
      ['gzip', bomb],
      ['gzip', Buffer.from('no gzip')],
      ['zstd', Buffer.from('no zstd')],
      ['snappy', Buffer.from('?')],
    ] as const) {
      await ask(proxy, { headers: { 'content-encoding': encoding }, body });
      expect(upstream.seen.at(-1)!.body.equals(body)).toBe(true);
    }
    expect(seen).toEqual([]);
  });

  test('of 36 MB goes through whole, without being looked at', async () => {
    const seen: OutgoingRequest[] = [];
    const proxy = await proxied({ change: change('never', seen) });
    const body = Buffer.alloc(36 * 1024 * 1024, 'x');
    await ask(proxy, { body });
    expect(upstream.seen[0]!.body.equals(body)).toBe(true);
    expect(seen).toEqual([]);
  });

  test('with `Expect: 100-continue` is told to go on', async () => {
    const proxy = await proxied();
    const request = start(proxy, { headers: { Expect: '100-continue', 'content-length': '2' } });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(upstream.seen[0]!.body.toString()).toBe('{}');
  });
});

describe('fails open', () => {
  const body = '{"messages":[]}';

  test.each<[string, ChangeRequest]>([
    ['throws', () => Promise.reject(new Error('a bug'))],
    ['never ends', () => new Promise(() => {})],
  ])('if pruning %s, the original is sent', async (_how, changeRequest) => {
    const troubles: string[] = [];
    const proxy = await proxied({ change: changeRequest, onTrouble: (what) => troubles.push(what) });
    expect((await ask(proxy, { body })).status).toBe(200);
    expect(upstream.seen[0]!.body.toString()).toBe(body);
    expect(troubles).toEqual([expect.stringContaining('the original was sent')]);
  });

  test('if a changed request is refused, it is sent once without what is new, and that answer is the answer', async () => {
    const answers: unknown[] = [];
    const calls: ProxiedCall[] = [];
    upstream.answer = (response, seen) => {
      if (seen.body.toString() === body) response.end('{"ok":true}');
      else response.writeHead(400).end('{"error":{"message":"bound to a different conversation"}}');
    };
    const answered = (answer: unknown): void => void answers.push(answer);
    const withoutNew = () => ({ body: Buffer.from(body), answered });
    const proxy = await proxied({
      change: async () => ({ body: Buffer.from('{"changed":1}'), answered, withoutNew }),
      onCall: (call) => calls.push(call),
    });
    const answer = await ask(proxy, { body });
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"ok":true}']);
    expect(upstream.seen.map((seen) => seen.body.toString())).toEqual(['{"changed":1}', body]);
    const refusal = { status: 400, error: expect.stringContaining('bound to a different conversation') };
    expect(answers).toEqual([refusal, { status: 200 }]);
    await expect.poll(() => calls).toMatchObject([{ status: 200, isResent: true }]);
  });

  test.each([401, 413, 429, 500, 529])('an answer of %i goes to the agent as it is', async (status) => {
    upstream.answer = (response) =>
      response
        .writeHead(status, { 'retry-after': '7', 'request-id': 'r1', 'x-should-retry': 'true' })
        .end('{"type":"error"}');
    const proxy = await proxied({ change: change('{"changed":1}') });
    const answer = await ask(proxy, { body });
    expect(answer).toMatchObject({
      status,
      headers: { 'retry-after': '7', 'request-id': 'r1', 'x-should-retry': 'true' },
    });
    expect(answer.body.toString()).toBe('{"type":"error"}');
    expect(upstream.seen).toHaveLength(1);
  });

  test('a refusal of a request with nothing new in it is not repeated', async () => {
    upstream.answer = (response) => response.writeHead(400).end('no');
    const answers: unknown[] = [];
    expect((await ask(await proxied({ change: change('{"changed":1}', [], answers) }), { body })).status).toBe(400);
    expect(upstream.seen).toHaveLength(1);
    await expect.poll(() => answers).toMatchObject([{ status: 400 }]);
  });

  test('a refusal of an unchanged request is not repeated', async () => {
    upstream.answer = (response) => response.writeHead(400).end('no');
    expect((await ask(await proxied(), { body })).body.toString()).toBe('no');
    expect(upstream.seen).toHaveLength(1);
  });

  test('a provider that is not there is a 502 that names it', async () => {
    const troubles: string[] = [];
    const mounts = [{ path: '/anthropic', upstream: new URL('http://127.0.0.1:9') }];
    const proxy = await proxied({ mounts, onTrouble: (what) => troubles.push(what) });
    const answer = await ask(proxy, { body });
    expect(answer.status).toBe(502);
    expect(troubles).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 could not be reached/)]);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: { message: `density: ${troubles[0]}` } });
  });
});

describe('an answer', () => {
  test.each([
    ['identity', (text: string) => Buffer.from(text)],
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('in %s comes byte for byte, and its usage is read on the way', async (encoding, pack) => {
    const packed = pack(START + PING + DELTA);
    const calls: ProxiedCall[] = [];
    upstream.answer = (response) => {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      });
      for (const byte of packed) response.write(Buffer.of(byte));
      response.end();
    };
    const answer = await ask(await proxied({ onCall: (call) => calls.push(call) }), { body: '{}' });
    expect(answer.body.equals(packed)).toBe(true);
    expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    expect(answer.headers).not.toHaveProperty('content-length');
    await expect
      .poll(() => calls)
      .toMatchObject([{ api: 'anthropic-messages', status: 200, model: 'm', usage: USAGE }]);
  });

  test.each([
    [
      '/tok/anthropic/v1/responses',
      '{"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":2}}',
    ],
    [
      '/tok/anthropic/v1/chat/completions',
      '{"usage":{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens":2}}',
    ],
    [
      '/tok/anthropic/v1beta/models/g:generateContent',
      '{"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":1,"thoughtsTokenCount":1}}',
    ],
  ])('of %s that is no stream is read too', async (path, text) => {
    const calls: ProxiedCall[] = [];
    upstream.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    await ask(await proxied({ onCall: (call) => calls.push(call) }), { path, body: '{}' });
    await expect.poll(() => calls).toMatchObject([{ usage: { promptTokens: 9, cachedTokens: 4, outputTokens: 2 } }]);
  });

  test('comes as it is written: headers and each event before the next one', async () => {
    let write: ((text: string) => void) | undefined;
    upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      write = (text) => void response.write(text);
    };
    const request = start(await proxied(), {});
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (const text of [START, PING, DELTA]) {
      write!(text);
      const [chunk] = (await once(response, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(text);
    }
    request.destroy();
  });

  test('that nobody waits for is stopped at the provider', async () => {
    upstream.answer = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(START);
    const proxy = await proxied();
    const request = start(proxy, {});
    request.on('error', () => {});
    request.end('{}');
    await once(request, 'response');
    request.destroy();
    await expect.poll(() => upstream.left).toBe(1);
    upstream.answer = (response) => response.end('{}');
    expect((await ask(proxy)).status).toBe(200);
  });

  test('that breaks off at the provider breaks off here: it never looks whole', async () => {
    upstream.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(START, () => response.destroy());
    };
    const request = start(await proxied(), {});
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    const [error] = (await once(response, 'error')) as [Error];
    expect(error.message).toBe('aborted');
    expect(response.complete).toBe(false);
  });

  test('without a body, and a redirect, come as they are', async () => {
    const proxy = await proxied();
    upstream.answer = (response) => response.writeHead(204).end();
    expect(await ask(proxy, { method: 'DELETE', path: '/tok/anthropic/v1/x' })).toMatchObject({ status: 204 });
    upstream.answer = (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    expect(await ask(proxy)).toMatchObject({ status: 302, headers: { location: 'http://169.254.169.254/' } });
    expect(upstream.seen).toHaveLength(2);
  });
});

describe('refuses', () => {
  test.each<[string, Asked, number]>([
    ['a wrong token', { path: '/other/anthropic/v1/messages' }, 404],
    ['no token', { path: '/' }, 404],
    ['a foreign Host', { headers: { host: 'evil.example' } }, 403],
    ['a web page', { headers: { origin: 'http://evil.example' } }, 403],
    ['a whole address', { path: 'http://169.254.169.254/latest' }, 400],
    ['`..`', { path: '/tok/anthropic/../../admin' }, 400],
    ['hidden `..`', { path: '/tok/anthropic/%2e%2e/admin' }, 400],
    ['a broken escape', { path: '/tok/anthropic/%zz' }, 400],
  ])('%s, and nothing is sent', async (_what, asked, status) => {
    const answer = await ask(await proxied(), asked);
    expect(answer.status).toBe(status);
    expect(upstream.seen).toEqual([]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('to go where a header says', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-headroom-base-url': 'http://evil.example',
      'x-upstream': 'http://evil.example',
    };
    expect((await ask(await proxied(), { headers })).status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
  });

  test('a port in use', async () => {
    const { port } = await proxied();
    await expect(startProxy({ mounts: [], port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('a request for which there is no memory', () => {
  const place = (left: string[], what: string): Place => ({ shrink: () => {}, leave: () => void left.push(what) });
  const answers = async (memory: OwnMemory, path?: string): Promise<Answer> =>
    ask(await proxied({ memory, change: change('{}') }), {
      ...(path !== undefined && { path }),
      body: Buffer.alloc(5_000_000, ' '),
    });

  test.each<[string, OwnMemory]>([
    ['to read it', { toRead: async () => undefined, toLook: async () => undefined }],
    ['to look at it', { toRead: async () => place([], ''), toLook: async () => undefined }],
  ])('%s gets 503 in the words of its provider, and is not sent', async (_what, memory) => {
    const { status, headers, body } = await answers(memory);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(body.toString())).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    const google = await answers(memory, '/tok/anthropic/v1beta/models/gemini-2.5-pro:generateContent');
    expect(JSON.parse(google.body.toString())).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
    expect(upstream.seen).toEqual([]);
  });

  test('gives its memory back when its provider answers, before the answer has ended', async () => {
    const left: string[] = [];
    const memory: OwnMemory = {
      toRead: async () => place(left, 'read'),
      toLook: async () => place(left, 'look'),
    };
    let end = (): void => {};
    upstream.answer = (response) => {
      response.write('start');
      end = () => void response.end();
    };
    const request = start(await proxied({ memory, change: change('{}') }), {});
    request.end('{"a":1}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await expect.poll(() => left).toEqual(['look', 'read']);
    end();
    await once(response.resume(), 'end');
  });
});

test.each([
  [{ 'x-api-key': 'k' }, true],
  [{ authorization: 'Bearer t' }, undefined],
])('a call says whether a key of the API pays: %j', async (headers, isByKey) => {
  const calls: ProxiedCall[] = [];
  const proxy = await proxied({ onCall: (call) => calls.push(call) });
  await ask(proxy, { body: '{"messages":[]}', headers });
  await expect.poll(() => calls.map((call) => call.isByKey)).toEqual([isByKey]);
});
