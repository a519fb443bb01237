import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChangeRequest, OutgoingRequest } from '../../src/live/exchange/contract.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
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
  upstream.answer = (response) => response.end('{}');
});
let proxy: RunningProxy | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await proxy?.close();
});

async function started(options: Partial<ProxyOptions> = {}): Promise<string> {
  proxy = await startProxy({ mounts: [{ path: '', upstream: base }], token: 'tok', ...options });
  return `${proxy.url}/v1/messages`;
}

async function opened(url: string, body: Uint8Array | string = '{}', headers = {}): Promise<IncomingMessage> {
  const request = httpRequest(url, { method: 'POST', headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Frames of blocks that repeat one byte: 128 kB in four bytes. Source: RFC 8878, sections 3.1.1.1 and 3.1.1.2. */
function zstdBomb(blocks: number): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const size = 128 * 1024;
  const block = (isLast: boolean): Buffer => {
    const bits = (size << 3) | (1 << 1) | (isLast ? 1 : 0);
    return Buffer.from([bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, 0x20]);
  };
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, at) => block(at === blocks - 1))]);
}

const unchanged =
  (seen: OutgoingRequest[]): ChangeRequest =>
  async (request) => {
    seen.push(request);
    return { body: request.body, answered: () => {} };
  };

describe('an answer', () => {
  test('with pings alone for ten minutes is not given up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    let held: ServerResponse | undefined;
    upstream.answer = (response) => {
      held = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    };
    const response = await opened(await started());
    for (let minute = 0; minute < 10; minute++) {
      await vi.advanceTimersByTimeAsync(60_000);
      const ping = `event: ping\ndata: {"minute":${minute}}\n\n`;
      held!.write(ping);
      const [chunk] = (await once(response, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(ping);
    }
    held!.end();
    await once(response, 'end');
  });

  test('whose stream tells an error after some words comes whole, and the error is known', async () => {
    const text =
      'event: message_start\ndata: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":3,"output_tokens":1}}}\n\n' +
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const answers: unknown[] = [];
    const calls: ProxiedCall[] = [];
    upstream.answer = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    const url = await started({
      change: async ({ body }) => ({ body, answered: (answer) => void answers.push(answer) }),
      onCall: (call) => calls.push(call),
    });
    const response = await opened(url);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(response, 'end');
    expect(Buffer.concat(chunks).toString()).toBe(text);
    await expect.poll(() => answers).toEqual([{ status: 200, error: 'Overloaded' }]);
    expect(upstream.seen).toHaveLength(1);
    expect(calls).toMatchObject([{ isResent: false, usage: { promptTokens: 3 } }]);
  });
});

describe('a request', () => {
  test('of 33 MB is looked at, and goes through byte for byte', async () => {
    const seen: OutgoingRequest[] = [];
    const body = Buffer.alloc(33 * 1024 * 1024, 'x');
    const response = await opened(await started({ change: unchanged(seen) }), body);
    await once(response.resume(), 'end');
    expect([seen[0]?.body.length, upstream.seen[0]?.body.equals(body)]).toEqual([body.length, true]);
  });

  test.each([
    [2, 1],
    [400, 0],
  ])('in zstd of %i blocks of 128 kB is decoded %i times: a bomb is not', async (blocks, times) => {
    const seen: OutgoingRequest[] = [];
    const body = zstdBomb(blocks);
    const url = await started({ change: unchanged(seen) });
    const response = await opened(url, body, { 'content-encoding': 'zstd' });
    await once(response.resume(), 'end');
    expect(seen.map((one) => one.body.length)).toEqual(Array(times).fill(blocks * 128 * 1024));
    expect(upstream.seen[0]?.body.equals(body)).toBe(true);
  });
});

test('a main agent, two sub-agents and a title do not disturb each other', async () => {
  const text = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at};`).join('\n');
  const change = liveChanges({
    workspaceRoot: '/',
    store: memoryStore(),
    archive: async () => {},
  });
  const url = await started({ change });
  // What the same call asks for again is sent whole.
  const read = (id: string, limit: number) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a.ts', limit } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
  ];
  const send = async (
    agent: string | undefined,
    reads: number,
    tools: object[] = [{ name: 'Read' }],
  ): Promise<number> => {
    const messages = [{ role: 'user', content: 'Go.' }];
    for (let at = 0; at < reads; at++) messages.push(...(read(`${agent}-${at}`, 500 + at) as never[]));
    const headers = { 'x-claude-code-session-id': 's', ...(agent && { 'x-claude-code-agent-id': agent }) };
    const response = await opened(url, JSON.stringify({ model: 'claude-sonnet-4-5', tools, messages }), headers);
    await once(response.resume(), 'end');
    return String(upstream.seen.at(-1)?.body).match(/⟦density: /g)?.length ?? 0;
  };
  const marks: number[] = [];
  for (let reads = 1; reads <= 3; reads++) {
    // The first read of each is whole, although another agent has sent the same text.
    marks.push(
      await send(undefined, reads),
      await send('one', reads),
      await send('two', reads),
      await send('one', 3, []),
    );
  }
  // A request without tools that repeats a conversation has the texts that are frozen in it, and freezes nothing.
  expect(marks).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
});
