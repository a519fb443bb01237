import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { liveRun } from '../src/cli/commands/proxy/live-options.ts';
import { liveSettings } from '../src/cli/commands/proxy/live-settings.ts';
import { startProxy } from '../src/proxy/proxy.ts';
import { serve } from './child.ts';

/** A request with this header is answered in so many events, one each interval. */
export const EVENTS_HEADER = 'x-bench-events';
export const EVENT_INTERVAL_MS = 20;
const PROBE_MS = 5;
const START = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { model: 'claude-sonnet-4-5' } })}\n\n`;
const EVENT = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', delta: { text: 'word '.repeat(20) } })}\n\n`;

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer({ keepAliveTimeout: 120_000 }, handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A provider that answers when it has the whole request. */
async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of incoming);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(START);
  for (let left = Number(incoming.headers[EVENTS_HEADER] ?? 1); left > 0; left--) {
    response.write(EVENT);
    if (left > 1) await sleep(EVENT_INTERVAL_MS);
  }
  response.end();
}

/** As little as a proxy can do: bytes through, both ways. */
function bareProxy(upstream: string): Promise<string> {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return listening(async (incoming, response) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(`${upstream}${incoming.url}`, {
      method: 'POST',
      headers,
      body: incoming,
      dispatcher,
    });
    const { connection: ____, 'transfer-encoding': _____, 'keep-alive': ______, ...kept } = answered;
    response.writeHead(statusCode, kept);
    response.flushHeaders();
    await pipeline(body, response);
  });
}

/** What `density wrap` puts in front of an agent, with its store, archive and log. */
async function ourProxy(upstream: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-proxy-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGTERM', () => process.exit());
  process.env['XDG_DATA_HOME'] = folder;
  const { options } = liveRun({ agent: 'claude-code', ...liveSettings([]), layers: [], onTrouble: console.error });
  return (await startProxy({ ...options, mounts: [{ path: '', upstream: new URL(upstream) }] })).url;
}

let drifts: number[] = [];
let timer: NodeJS.Timeout | undefined;

/** The delays of a 5 ms timer from now on. */
async function watch(): Promise<void> {
  drifts = [];
  let expectedAt = performance.now() + PROBE_MS;
  timer = setInterval(() => {
    const now = performance.now();
    drifts.push(Math.max(0, now - expectedAt));
    expectedAt = now + PROBE_MS;
  }, PROBE_MS);
}

async function watched(): Promise<readonly number[]> {
  clearInterval(timer);
  return drifts;
}

serve<string>(import.meta.filename, {
  provider: () => listening(answer),
  bare: bareProxy,
  ours: ourProxy,
  watch,
  watched,
});
