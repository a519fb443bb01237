import { once } from 'node:events';
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export const CLIENT_FAULTS = ['leaves before the end', 'leaves soon', 'leaves in the answer', 'leaves after'] as const;
const GIVE_UP_MS = 60_000;
export type ClientFault = (typeof CLIENT_FAULTS)[number];

export interface Asked {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly agent: Agent;
  readonly leaves?: ClientFault | undefined;
  /** When the agent leaves that leaves soon. */
  readonly soonMs?: number;
}

export interface Got {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
  /** False: it broke off. */
  readonly isWhole: boolean;
}

/** A request of an agent, which may leave. Never rejects; undefined if no answer came. */
export async function exchange({ url, headers, body, agent, leaves, soonMs = 0 }: Asked): Promise<Got | undefined> {
  const request = httpRequest(url, {
    agent,
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
  });
  request.on('error', () => {});
  // Longer than anything may take.
  const timer = setTimeout(() => request.destroy(), GIVE_UP_MS);
  request.once('close', () => clearTimeout(timer));
  const closed = new Promise<void>((resolve) => request.once('close', () => resolve()));
  if (leaves === 'leaves before the end') {
    request.write(body.subarray(0, Math.floor(body.length / 2)));
    await delay(soonMs);
    request.destroy();
    return undefined;
  }
  request.end(body);
  if (leaves === 'leaves soon') {
    await delay(soonMs);
    request.destroy();
    return undefined;
  }
  const response = await Promise.race([
    once(request, 'response').then(
      ([one]) => one as IncomingMessage,
      () => undefined,
    ),
    closed.then(() => undefined),
  ]);
  if (response === undefined) return undefined;
  const chunks: Buffer[] = [];
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (leaves === 'leaves in the answer') request.destroy();
  });
  await once(response, 'close').catch(() => {});
  if (leaves === 'leaves after') request.destroy();
  const { statusCode = 0, complete } = response;
  return { status: statusCode, body: Buffer.concat(chunks), headers: response.headers, isWhole: complete };
}
