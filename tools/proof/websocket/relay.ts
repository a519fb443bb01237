import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { turnAway } from '../../../src/proxy/intake/unreadable-requests.ts';
import { acceptSocket, openSocket, type WebSocket } from '../../../src/proxy/sockets/web-socket.ts';

/** What happens to a request for a response. */
export type Fault = 'cut' | 'forgotten' | 'closed';

export interface Relay {
  readonly port: number;
  /** Requests for responses over WebSockets, in order, with those that a fault met. */
  readonly frames: Buffer[];
  /** How many WebSockets were opened, and how many requests came over HTTP. */
  readonly opened: { sockets: number; requests: number };
  close(): void;
}

const FORGOTTEN = {
  type: 'error',
  status: 400,
  error: {
    type: 'invalid_request_error',
    code: 'previous_response_not_found',
    message: 'Previous response not found.',
  },
};

/** Carries everything to a port as it comes, and does harm to the requests whose numbers `faults` has, warm-ups not counted. */
export async function startRelay(to: number, faults: Readonly<Record<number, Fault>> = {}): Promise<Relay> {
  const frames: Buffer[] = [];
  const opened = { sockets: 0, requests: 0 };
  let asked = 0;
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    opened.requests++;
    const { method, url, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: to, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on('upgrade', async (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = new URL(incoming.url ?? '/', `http://127.0.0.1:${to}`);
    const answered = await openSocket(target, incoming, new AbortController().signal);
    if ('refused' in answered) return turnAway(socket, '404 Not Found');
    opened.sockets++;
    const upstream = answered.socket;
    const client = acceptSocket(incoming, [socket, head], answered)!;
    const end = (): void => {
      client.terminate();
      upstream.terminate();
    };
    let left = Number.POSITIVE_INFINITY;
    client.on('message', (data: Buffer, isBinary: boolean) => {
      frames.push(data);
      const fault = data.includes('"generate":false') ? undefined : faults[asked++];
      if (fault === 'forgotten') return client.send(JSON.stringify(FORGOTTEN));
      if (fault === 'closed') return client.close(1000);
      if (fault === 'cut') left = 2;
      upstream.send(data, { binary: isBinary });
    });
    upstream.on('message', (data: Buffer, isBinary: boolean) => {
      if (left-- > 0) client.send(data, { binary: isBinary });
      else end();
    });
    for (const one of [client, upstream] satisfies WebSocket[]) {
      one.on('error', () => {});
      one.on('close', end);
      one.resume();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    frames,
    opened,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
