import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isRecord, jsonOf } from '../content/foreign-value.ts';
import { apiOfPath, type PathFacts } from '../formats/api-path.ts';
import { turnAway } from '../proxy/intake/unreadable-requests.ts';
import { acceptSocket } from '../proxy/sockets/web-socket.ts';
import type { Accepted, ProviderRequest, Refused, Said, ServerEvent } from './contract.ts';
import { type Ask, serveResponses } from './served-responses.ts';
import type { StrictProvider } from './strict-provider.ts';

interface ServerOptions {
  /** What the model says, one after the other, or to each request; then `Done.` */
  readonly script?: readonly Said[] | ((request: ProviderRequest) => Said | undefined);
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called after each request. */
  readonly onRequest?: (request: ProviderRequest, outcome: Accepted | Refused) => void;
}

/** A server of the provider's APIs; it does not listen yet. */
export function providerServer(provider: StrictProvider, options: ServerOptions): Server {
  const script = typeof options.script === 'function' ? options.script : [...(options.script ?? [])];
  const ask: Ask = (asked) => {
    const says = asked.isCount ? undefined : typeof script === 'function' ? script(asked) : script[0];
    const request = says ? { ...asked, says } : asked;
    const outcome = provider.receive(request, options.now());
    if (outcome.status === 200 && !asked.isCount && Array.isArray(script)) script.shift();
    options.onRequest?.(request, outcome);
    return outcome;
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response, ask).catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    if (routeOf(pathname)?.api !== 'openai-responses') return turnAway(socket, '404 Not Found');
    const connection = acceptSocket(incoming, [socket, head]);
    if (connection) serveResponses(connection, { ask, account: accountOf(incoming), now: options.now });
  });
  return server;
}

async function answer(incoming: IncomingMessage, response: ServerResponse, ask: Ask): Promise<void> {
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
  const route = routeOf(pathname);
  if (incoming.method === 'HEAD') return void response.writeHead(200).end();
  if (route === undefined || incoming.method !== 'POST') {
    return json(response, 404, {
      error: { type: 'not_found_error', message: `Not found: ${incoming.method} ${pathname}` },
    });
  }
  const received = jsonOf(await buffer(incoming));
  const { api, isCount, isInner = false } = route;
  const { body, model } = isInner ? innerRequest(received) : { ...route, body: received };
  const asked: ProviderRequest = {
    api,
    body,
    isCount,
    account: accountOf(incoming),
    betas: String(incoming.headers['anthropic-beta'] ?? '')
      .split(/[,\s]+/)
      .filter(Boolean),
    ...(model !== undefined && { model }),
  };
  const outcome = ask(asked);
  const isStream = pathname.endsWith(':streamGenerateContent') || (isRecord(body) && body['stream'] === true);
  const answered = (value: unknown): unknown => (isInner ? { response: value } : value);
  if (outcome.status !== 200 || isCount) return json(response, outcome.status, outcome.body);
  if (!isStream) return json(response, 200, answered(outcome.body));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of outcome.events) response.write(eventText({ ...event, data: answered(event.data) }));
  response.end();
}

/** The request of the API in one of Code Assist, and its model. */
function innerRequest(body: unknown): { body: unknown; model?: string } {
  const { request, model } = isRecord(body) ? body : {};
  const named = model ?? (isRecord(request) ? request['model'] : undefined);
  return { body: request, ...(typeof named === 'string' && { model: named.replace(/^models\//, '') }) };
}

/** As at the vendor, the paths of the Messages API start with its version. Summaries that only a server can read are not made. */
function routeOf(pathname: string): PathFacts | undefined {
  const facts = apiOfPath(pathname);
  if (facts?.isSummary) return undefined;
  return facts?.api === 'anthropic-messages' && !pathname.includes('/v1/messages') ? undefined : facts;
}

/** A request's credential names its account. */
function accountOf({ headers }: IncomingMessage): string {
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /i, '');
  return typeof key === 'string' && key !== '' ? key : 'default';
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function eventText({ event, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
