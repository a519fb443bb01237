import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { within } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { CopyRoom } from './answer/copy-room.ts';
import type { Mount } from './contract.ts';
import { type Door, throughDoor } from './door.ts';
import { Exchange, type KeptRequestOptions } from './exchange.ts';
import type { GuardServer } from './guard/guard-server.ts';
import { refuseUnreadable } from './intake/unreadable-requests.ts';
import { OneByOne } from './one-by-one.ts';
import type { PageServer } from './page/page-server.ts';
import { checkedPath } from './refusal.ts';
import { routeOf } from './routes.ts';
import { refuseUpgrade, Sockets } from './sockets/sockets.ts';
import { Upstream } from './upstream.ts';

const TOKEN_BYTES = 16;
const LONGEST_HEADERS_BYTES = 128 * 1024;
/** Agents reuse connections after longer pauses than Node's five seconds. */
const KEEP_ALIVE_MS = 120_000;

export interface ProxyOptions extends KeptRequestOptions {
  readonly mounts: readonly Mount[];
  /** Any free one when absent. */
  readonly port?: number;
  /** Another address than 127.0.0.1; only with a door. */
  readonly host?: string;
  /** Decides who gets in, in place of the token. For a team. */
  readonly door?: Door;
  /** The first part of every path; a random one when absent. */
  readonly token?: string;
  /** A page for people, below a token of its own. */
  readonly page?: Pick<PageServer, 'token' | 'handle' | 'end'>;
  /** Who is asked before a tool of the agent runs, below a token of its own. */
  readonly guard?: Pick<GuardServer, 'token' | 'handle'>;
}

export interface RunningProxy {
  /** `http://127.0.0.1:PORT/TOKEN`: paths of mounts follow it. */
  readonly url: string;
  readonly port: number;
  /** `http://127.0.0.1:PORT/TOKEN/` of the page; empty without one. */
  readonly pageUrl: string;
  /** The same of the guard; empty without one. */
  readonly guardUrl: string;
  /** Takes no new connections, waits at most `waitMs` (default: 0) for the answers that run, and ends the others. */
  close(waitMs?: number): Promise<void>;
}

/**
 * HTTP in front of providers, on 127.0.0.1 only unless a door decides who gets in. Bytes go through as they came, in both directions, unless `change` says
 * otherwise. If anything fails here, the original is sent.
 * @throws the system's error if the port is in use.
 */
export async function startProxy({
  mounts,
  port = 0,
  host = '127.0.0.1',
  door,
  token = randomToken(),
  page,
  guard,
  ...options
}: ProxyOptions): Promise<RunningProxy> {
  const upstream = new Upstream();
  const shared = { upstream, looks: new OneByOne(), room: new CopyRoom() };
  const server = createServer(
    { maxHeaderSize: LONGEST_HEADERS_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        options.onTrouble?.(`a request could not be answered (${messageOf(error)})`);
        if (response.headersSent) response.destroy();
        else refuse(response, 500, 'A fault here. The request was not sent on.');
      });
    },
  );
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (door) return throughDoor(door, [request, response], { mounts, ...shared });
    const place = { port: (server.address() as AddressInfo).port, token };
    const checked = checkedPath(request, place);
    const asked = page && checkedPath(request, { ...place, token: page.token });
    if (page && asked && 'path' in asked) return page.handle(request, response, asked.path);
    if (guard && 'path' in checkedPath(request, { ...place, token: guard.token }))
      return guard.handle(request, response);
    if ('status' in checked) return refuse(response, checked.status, checked.message);
    const route = routeOf(request, checked.path, mounts);
    if (route === undefined) return refuse(response, 404, 'No provider is known for this path.');
    return new Exchange(request, response, { route, ...shared, ...options }).run();
  }
  const sockets = new Sockets({ looks: shared.looks, ...options });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { port: asked } = server.address() as AddressInfo;
    const checked = door ? undefined : checkedPath(request, { port: asked, token });
    if (checked && 'status' in checked) return refuseUpgrade(socket, checked.status);
    const route = checked && routeOf(request, checked.path, mounts);
    // For a team there is none: its agents send whole requests over HTTP in the same turn.
    if (route === undefined) return refuseUpgrade(socket, 426);
    void sockets.open({ target: route.target, request, socket, head });
  });
  refuseUnreadable(server);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: used } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${used}`;
  return {
    url: `${origin}/${token}`,
    port: used,
    pageUrl: page ? `${origin}/${page.token}/` : '',
    guardUrl: guard ? `${origin}/${guard.token}/` : '',
    close: (waitMs = 0) => {
      page?.end();
      options.keeper?.close();
      return close(server, { upstream, sockets, waitMs });
    },
  };
}

const randomToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ error: { type: 'density_refused', message: `density: ${message}` } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

interface Closing {
  readonly upstream: Upstream;
  readonly sockets: Sockets;
  readonly waitMs: number;
}

async function close(server: Server, { upstream, sockets, waitMs }: Closing): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const endIdle = (): void => {
    server.closeIdleConnections();
    sockets.endIdle();
  };
  endIdle();
  const idle = setInterval(endIdle, 100);
  if (waitMs > 0) await within(waitMs, closed, () => {});
  clearInterval(idle);
  server.closeAllConnections();
  sockets.end();
  await Promise.all([closed, upstream.close()]);
}
