import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { liveChanges } from '../../../src/live/exchange/live-changes.ts';
import { startProxy } from '../../../src/proxy/proxy.ts';
import { acceptSocket } from '../../../src/proxy/sockets/web-socket.ts';

const TURNS = 40;
/** With four characters a token. */
const RESULTS = 100;
const RESULT_TOKENS = 2_000;

type Item = Readonly<Record<string, unknown>>;

/** A conversation of 200,000 tokens, whose results differ. */
const resultText = (at: number): string =>
  Array.from({ length: RESULT_TOKENS / 12 }, (_, line) => `line ${line} of the result ${at} has its own words\n`).join(
    '',
  );
const callItem = (at: number): Item => ({
  type: 'function_call',
  id: `fc_${at}`,
  call_id: `call_${at}`,
  name: 'exec_command',
  arguments: JSON.stringify({ cmd: `cat file${at}.txt` }),
});
const resultItem = (at: number): Item => ({
  type: 'function_call_output',
  call_id: `call_${at}`,
  output: resultText(at),
});

/** What a model without a thought says: one call. */
function eventsOf(at: number): string[] {
  const response = { id: `resp_${at}`, model: 'gpt-5.4', status: 'completed', output: [callItem(at)] };
  const usage = { input_tokens: 200_000, input_tokens_details: { cached_tokens: 199_000 }, output_tokens: 20 };
  return [
    { type: 'response.created', response: { id: response.id } },
    { type: 'response.output_item.done', output_index: 0, item: callItem(at) },
    { type: 'response.completed', response: { ...response, usage } },
  ].map((event) => JSON.stringify(event));
}

/** Answers at once, however it is asked. */
async function startModel() {
  const server = createServer(async (incoming, response) => {
    for await (const _ of incoming);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      eventsOf(Number(incoming.headers['x-turn']))
        .map((data) => `data: ${data}\n\n`)
        .join(''),
    );
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const one = acceptSocket(incoming, [socket, head])!;
    one.on('message', (data: Buffer) => {
      const { turn } = (JSON.parse(data.toString()) as { metadata: { turn: number } }).metadata;
      for (const event of eventsOf(turn)) one.send(event);
    });
    one.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** An agent at one address: how long a turn takes it, from its decision to send to the end of the answer. */
type Turn = (at: number) => Promise<number>;

const START: readonly Item[] = [
  { type: 'message', role: 'user', content: 'Go on.' },
  ...Array.from({ length: RESULTS }, (_, at) => [callItem(at), resultItem(at)]).flat(),
];
const bodyOf = (input: readonly Item[], turn: number) => ({
  model: 'gpt-5.4',
  stream: true,
  input,
  tools: [{ type: 'function', name: 'exec_command' }],
  store: false,
  metadata: { turn },
});

async function bySocket(url: string, name: string): Promise<{ turn: Turn; end: () => void }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/responses`, { headers: { 'session-id': name } });
  await once(socket, 'open');
  const turn: Turn = async (at) => {
    const startedAt = performance.now();
    const isFirst = at === RESULTS;
    const input = isFirst ? START : [resultItem(at - 1)];
    const previous = isFirst ? {} : { previous_response_id: `resp_${at - 1}` };
    const over = new Promise<void>((resolve) => {
      const read = (data: Buffer): void => {
        if (!data.includes('"response.completed"')) return;
        socket.off('message', read);
        resolve();
      };
      socket.on('message', read);
    });
    socket.send(JSON.stringify({ type: 'response.create', ...bodyOf(input, at), ...previous }));
    await over;
    return performance.now() - startedAt;
  };
  return { turn, end: () => socket.terminate() };
}

function byHttp(url: string, name: string): { turn: Turn; end: () => void } {
  let input = [...START];
  const turn: Turn = async (at) => {
    const startedAt = performance.now();
    if (at > RESULTS) input = [...input, callItem(at - 1), resultItem(at - 1)];
    const headers = { 'content-type': 'application/json', 'session-id': name, 'x-turn': String(at) };
    const answer = await fetch(`${url}/responses`, {
      method: 'POST',
      headers,
      body: JSON.stringify(bodyOf(input, at)),
    });
    await answer.text();
    return performance.now() - startedAt;
  };
  return { turn, end: () => {} };
}

/** Milliseconds a turn at the median and the 95th percentile, by the way that requests take; `direct` twice says what chance makes. */
export async function turnTimes(): Promise<Readonly<Record<string, { readonly p50: number; readonly p95: number }>>> {
  const { server, port } = await startModel();
  const direct = `http://127.0.0.1:${port}/v1`;
  const change = liveChanges({ workspaceRoot: '/work', agent: 'codex', archive: async () => {} });
  const proxy = await startProxy({ mounts: [{ path: '/v1', upstream: new URL(direct) }], change });
  const wrapped = `${proxy.url}/v1`;
  const ways: Record<string, { turn: Turn; end: () => void }> = {
    'WebSocket, direct': await bySocket(direct, 'one'),
    'WebSocket, direct again': await bySocket(direct, 'two'),
    'WebSocket, wrapped': await bySocket(wrapped, 'three'),
    'HTTP, direct': byHttp(direct, 'four'),
    'HTTP, direct again': byHttp(direct, 'five'),
    'HTTP, wrapped': byHttp(wrapped, 'six'),
  };
  const names = Object.keys(ways);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let at = RESULTS; at <= RESULTS + TURNS; at++) {
    for (let step = 0; step < names.length; step++) {
      const name = names[(at + step) % names.length]!;
      const tookMs = await ways[name]!.turn(at);
      // The first one has everything in it, by every way.
      if (at > RESULTS) times.get(name)!.push(tookMs);
    }
  }
  for (const { end } of Object.values(ways)) end();
  await proxy.close();
  server.close();
  server.closeAllConnections();
  const quantile = (sorted: readonly number[], part: number): number => sorted[Math.floor(part * (sorted.length - 1))]!;
  return Object.fromEntries(
    [...times].map(([name, list]) => {
      const sorted = list.toSorted((one, other) => one - other);
      return [name, { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) }];
    }),
  );
}
