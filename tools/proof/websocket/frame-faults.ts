import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import type { ChangeRequest } from '../../../src/live/exchange/contract.ts';
import { startProxy } from '../../../src/proxy/proxy.ts';
import { acceptSocket } from '../../../src/proxy/sockets/web-socket.ts';

/** Frames of one end, and what happens to them. */
interface Side {
  readonly frames: readonly { readonly kind: Kind; readonly isInParts: boolean; readonly isAfterPing: boolean }[];
  /** After how many frames this end breaks off; absent if it does not. */
  readonly breaksAfter: number | undefined;
  readonly isSlow: boolean;
}

const KINDS = ['request', 'continued', 'item', 'end', 'error', 'other', 'broken', 'binary', 'huge'] as const;
type Kind = (typeof KINDS)[number];

const side = fc.record({
  frames: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), isInParts: fc.boolean(), isAfterPing: fc.boolean() }), {
    maxLength: 12,
  }),
  breaksAfter: fc.option(fc.nat(12), { nil: undefined, freq: 3 }),
  isSlow: fc.boolean(),
});
const plans = fc.record({
  agent: side,
  provider: side,
  pruning: fc.constantFrom('nothing', 'fails', 'nonsense', 'late'),
});
type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

const HUGE_BYTES = 3 * 1024 * 1024;
const BODIES: Readonly<Record<Kind, (at: number) => string>> = {
  request: (at) => `{"type":"response.create","at":${at},"input":[{"type":"message","role":"user","content":"é"}]}`,
  continued: (at) => `{"type":"response.create","at":${at},"previous_response_id":"r${at}","input":[]}`,
  item: (at) => `{"type":"response.output_item.done","output_index":${at},"item":{"type":"reasoning"}}`,
  end: (at) => `{"type":"response.completed","response":{"id":"r${at}","status":"completed","output":[]}}`,
  error: (at) => `{"type":"error","status":400,"error":{"message":"${at}"}}`,
  other: (at) => `{"type":"codex.rate_limits","at":${at},"stream_id":"${at}"}`,
  broken: (at) => `{"type":"response.create","input":[${at}`,
  binary: (at) => `${at}`,
  huge: (at) => `{"type":"response.create","input":["${String(at).repeat(HUGE_BYTES)}"]}`,
};
const bytesOf = ({ frames }: Side): Buffer[] => frames.map(({ kind }, at) => Buffer.from(BODIES[kind](at)));

const CHANGES: Readonly<Record<Plan['pruning'], ChangeRequest>> = {
  nothing: async ({ body }) => ({ body, answered: () => {} }),
  fails: () => Promise.reject(new Error('a fault')),
  nonsense: async () => ({ body: Buffer.from('{"input":["nothing","like it"]}'), answered: () => {} }),
  late: async ({ body }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { body, answered: () => {} };
  },
};

/** Sends the frames of one end, and breaks off where it should. */
function send(socket: WebSocket, { frames, breaksAfter }: Side): void {
  const bodies = frames.map(({ kind }, at) => Buffer.from(BODIES[kind](at)));
  for (const [at, { kind, isInParts, isAfterPing }] of frames.entries()) {
    if (breaksAfter === at) break;
    const binary = kind === 'binary';
    if (isAfterPing) socket.ping();
    // Parts end anywhere, also within a letter.
    const middle = isInParts ? Math.floor(bodies[at]!.length / 2) : 0;
    if (isInParts) socket.send(bodies[at]!.subarray(0, middle), { binary, fin: false });
    socket.send(bodies[at]!.subarray(middle), { binary, fin: true });
  }
  if (breaksAfter !== undefined) socket.terminate();
}

/** Everything that one end gets; resolves when it has so many frames, or when the connection ends. */
function received(socket: WebSocket, { isSlow }: Side, count: number): { got: Buffer[]; over: Promise<void> } {
  const got: Buffer[] = [];
  const over = new Promise<void>((resolve) => {
    if (count === 0) resolve();
    socket.on('message', (data: Buffer) => {
      got.push(data);
      if (got.length === count) resolve();
      if (!isSlow) return;
      socket.pause();
      setTimeout(() => socket.resume(), 3);
    });
    socket.on('close', () => resolve());
  });
  return { got, over };
}

export interface FrameFaults {
  readonly connections: number;
  readonly frames: number;
  /** What went wrong, in words. */
  readonly wrong: readonly string[];
}

/**
 * Sends frames of all kinds both ways, in parts, with pings and slow readers, while pruning fails and ends break off. Every frame must arrive as it
 * was, in its order, unless an end broke off: then those that arrive are the first ones.
 */
export async function injectFrameFaults(connections: number, seed: number): Promise<FrameFaults> {
  let provider: Side;
  let other: { got: Buffer[]; over: Promise<void> };
  let count = 0;
  const server = createServer();
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const one = acceptSocket(incoming, [socket, head])!;
    one.on('error', () => {});
    other = received(one, provider, count);
    one.resume();
    send(one, provider);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let change = CHANGES.nothing;
  const proxy = await startProxy({
    mounts: [{ path: '', upstream: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) }],
    change: (request) => change(request),
  });
  const wrong: string[] = [];
  const onFault = (error: unknown): void => void wrong.push(`not caught: ${String(error)}`);
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  let frames = 0;
  for (const [at, plan] of fc.sample(plans, { numRuns: connections, seed }).entries()) {
    provider = plan.provider;
    change = CHANGES[plan.pruning];
    const fromAgent = bytesOf(plan.agent);
    const fromProvider = bytesOf(plan.provider);
    count = fromAgent.length;
    const agent = new WebSocket(`${proxy.url.replace('http', 'ws')}/responses`);
    agent.on('error', () => {});
    const mine = received(agent, plan.agent, fromProvider.length);
    const opened = await Promise.race([once(agent, 'open').then(() => true), once(agent, 'close').then(() => false)]);
    if (!opened) continue;
    send(agent, plan.agent);
    await Promise.all([mine.over, other!.over]);
    agent.terminate();
    const isBroken = [plan.agent, plan.provider].some(({ breaksAfter }) => breaksAfter !== undefined);
    for (const [got, sent] of [[mine.got, fromProvider] as const, [other!.got, fromAgent] as const]) {
      frames += got.length;
      const isSame = got.every((frame, index) => sent[index]?.equals(frame));
      if (!isSame) wrong.push(`connection ${at}: a frame is another one`);
      else if (!isBroken && got.length < sent.length)
        wrong.push(`connection ${at}: ${sent.length - got.length} frames were lost`);
    }
  }
  await proxy.close();
  process.off('uncaughtException', onFault).off('unhandledRejection', onFault);
  server.close();
  server.closeAllConnections();
  return { connections, frames, wrong };
}
