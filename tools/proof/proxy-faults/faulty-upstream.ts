import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

export const UPSTREAM_FAULTS = [
  'reset before headers',
  'reset in an event',
  'slow',
  '400 to what is new',
  '400 to what is new, endless',
  '400 to what is new, broken off',
  '400 to all',
  '422',
  '424',
  '429',
  '500',
  '529',
  'gzip',
  'truncated gzip',
  'usage lies',
] as const;
export type UpstreamFault = (typeof UPSTREAM_FAULTS)[number];

/** How a request is to be answered. */
export interface Plan {
  readonly fault: UpstreamFault | undefined;
  /** As the agent sent it. */
  readonly original: Buffer;
  readonly answer: Buffer;
  /** True for a body with changes that this conversation's provider has not seen yet. */
  readonly isNew: (body: Buffer) => boolean;
  /** What came, in order. */
  readonly seen: Buffer[];
}

/** True where the answer has to arrive whole. */
export const isWhole = ({ fault }: Plan): boolean => fault !== 'reset before headers' && fault !== 'reset in an event';

/** The status and the body that the agent has to see. */
export function expected({ fault, answer }: Plan): { readonly status: number; readonly body: Buffer } {
  if (fault === '400 to all') return { status: 400, body: Buffer.from(REFUSAL) };
  if (fault !== undefined && Number(fault) > 0) return { status: Number(fault), body: Buffer.from(REFUSAL) };
  if (fault === 'gzip') return { status: 200, body: gzipSync(answer) };
  if (fault === 'truncated gzip') return { status: 200, body: gzipSync(answer).subarray(0, -20) };
  return { status: 200, body: answer };
}

export const PLAN_HEADER = 'x-plan';
const REFUSAL = '{"type":"error","error":{"message":"no"}}';
const PIECES = 4;
const SLOW_MS = 40;

/** A provider that fails as the plan of each request says. */
export class FaultyUpstream {
  readonly plans = new Map<string, Plan>();
  readonly #server = createServer(
    (request, response) => void this.#take(request, response).catch(() => response.destroy()),
  );

  async start(): Promise<URL> {
    // An idle connection that ends while the next request comes is a 502: providers keep theirs longer than Node.
    this.#server.keepAliveTimeout = 300_000;
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const plan = this.plans.get(String(request.headers[PLAN_HEADER]));
    if (plan === undefined) return void response.end('serving');
    const body = Buffer.concat(chunks);
    plan.seen.push(body);
    const { fault } = plan;
    if (fault === 'reset before headers') return void request.socket.resetAndDestroy();
    if (fault?.startsWith('400 to what is new') && plan.isNew(body)) return refuseNew(fault, response);
    const { status, body: answer } = expected(plan);
    const encoding = fault === 'gzip' || fault === 'truncated gzip' ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(status, { 'content-type': 'text/event-stream', 'retry-after': '7', ...encoding });
    const size = Math.ceil(answer.length / PIECES);
    for (let piece = 0; piece < PIECES; piece++) {
      if (fault === 'reset in an event' && piece === 2) {
        await delay(5);
        return void request.socket.resetAndDestroy();
      }
      response.write(answer.subarray(piece * size, (piece + 1) * size));
      if (fault === 'slow') await delay(SLOW_MS);
    }
    response.end();
  }
}

function refuseNew(fault: UpstreamFault, response: ServerResponse): void {
  if (fault === '400 to what is new') {
    response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync(REFUSAL));
    return;
  }
  response.writeHead(400, { 'content-length': '9999' }).write(REFUSAL);
  if (fault === '400 to what is new, broken off') setTimeout(() => response.destroy(), 5);
}
