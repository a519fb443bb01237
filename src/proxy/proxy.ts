import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Mount, ProxyRequestOptions } from './contract.ts';
import { Exchange } from './exchange.ts';
import { checkedPath } from './refusal.ts';
import { routeOf } from './routes.ts';
import { Upstream } from './upstream.ts';

const TOKEN_BYTES = 16;
const LONGEST_HEADERS_BYTES = 128 * 1024;
/** Agents reuse connections after longer pauses than Node's five seconds. */
const KEEP_ALIVE_MS = 120_000;

export interface ProxyOptions extends ProxyRequestOptions {
  readonly mounts: readonly Mount[];
  /** On 127.0.0.1; any free one when absent. */
  readonly port?: number;
  /** The first part of every path; a random one when absent. */
  readonly token?: string;
}

export interface RunningProxy {
  /** `http://127.0.0.1:PORT/TOKEN`: paths of mounts follow it. */
  readonly url: string;
  readonly port: number;
  /** Ends running requests too. */
  close(): Promise<void>;
}

/**
 * HTTP in front of providers, on 127.0.0.1 only. Bytes go through as they came, in both directions, unless `change` says
 * otherwise. Where anything fails here, the original is sent.
 * @throws the system's error if the port is in use.
 */
export async function startProxy({
  mounts,
  port = 0,
  token = randomToken(),
  ...options
}: ProxyOptions): Promise<RunningProxy> {
  const upstream = new Upstream();
  const server = createServer(
    { maxHeaderSize: LONGEST_HEADERS_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (request, response) => {
      const place = { port: (server.address() as AddressInfo).port, token };
      const checked = checkedPath(request, place);
      if ('status' in checked) return refuse(response, checked.status, checked.message);
      const route = routeOf(request, checked.path, mounts);
      if (route === undefined) return refuse(response, 404, 'No provider is known for this path.');
      void new Exchange(request, response, { route, upstream, ...options }).run();
    },
  );
  // Codex tries a WebSocket first and sends only what is new over it; after this answer it sends whole requests.
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  server.on('clientError', (_error: Error, socket: Socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: used } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${used}/${token}`, port: used, close: () => close(server, upstream) };
}

const randomToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ error: { type: 'density_refused', message: `density: ${message}` } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

async function close(server: Server, upstream: Upstream): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await Promise.all([closed, upstream.close()]);
}
