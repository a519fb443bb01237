import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isRecord, jsonOf } from '../content/foreign-value.ts';
import { pause } from '../deadline.ts';
import { apiOfPath, type PathFacts } from '../formats/api-path.ts';
import { turnAway } from '../proxy/intake/unreadable-requests.ts';
import { acceptSocket } from '../proxy/sockets/web-socket.ts';
import type { Accepted, ProviderRequest, Refused, Said, ServerEvent } from './contract.ts';
import { isPing } from './ping.ts';
import { type Load, limitHeaders, refusedByLoad } from './rate-limits.ts';
import { type Ask, serveResponses } from './served-responses.ts';
import type { StrictProvider } from './strict-provider.ts';

/** Node ends a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ServerOptions {
  /** What the model says, one after the other, or to each request; then `Done.` Pings get `Done.`, and use up nothing. */
  readonly script?: readonly Said[] | ((request: ProviderRequest) => Said | undefined);
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Asked at each request; a request that is refused here is neither billed nor cached. */
  readonly load?: (request: ProviderRequest) => Load | undefined;
  /** Milliseconds before the start of an answer, and before each event of a stream; `Infinity`: it never comes. */
  readonly waitMs?: (request: ProviderRequest) => number;
  /** Called when a request has its outcome, before it is answered. */
  readonly onRequest?: (request: ProviderRequest, outcome: Accepted | Refused) => void;
  /** Called when a request was answered, or its client hung up. */
  readonly onServed?: (served: ServedRequest) => void;
}

export interface ServedRequest {
  readonly request: ProviderRequest;
  /** When it arrived. */
  readonly atMs: number;
  /** True if it asked for at most one token of an answer. */
  readonly isPing: boolean;
  /** Its tokens are those that are billed: without the output that was not sent when the client hung up. */
  readonly outcome: Accepted | Refused;
  readonly isEndedEarly: boolean;
}

/** A server of the provider's APIs; it does not listen yet. */
export function providerServer(provider: StrictProvider, options: ServerOptions): Server {
  const script = typeof options.script === 'function' ? options.script : [...(options.script ?? [])];

  function receive(request: ProviderRequest): Accepted | Refused {
    const isSaid = !request.isCount && !isPing(request);
    const says = !isSaid ? undefined : typeof script === 'function' ? script(request) : script[0];
    const outcome = provider.receive(says ? { ...request, says } : request, options.now());
    if (outcome.status === 200 && isSaid && Array.isArray(script)) script.shift();
    return outcome;
  }

  function ask(request: ProviderRequest): Asked {
    const { now, load, waitMs, onRequest, onServed } = options;
    const atMs = now();
    const busy = load?.(request) ?? {};
    const outcome = busy.status === undefined ? receive(request) : refusedByLoad(busy.status, request.api);
    onRequest?.(request, outcome);
    return {
      outcome,
      headers: limitHeaders(busy, atMs),
      waitMs: waitMs?.(request) ?? 0,
      served(events) {
        const isEndedEarly = events !== undefined;
        const billed = isEndedEarly && outcome.status === 200 ? provider.endedAfter(request, outcome, events) : outcome;
        onServed?.({ request, atMs, isPing: isPing(request), outcome: billed, isEndedEarly });
      },
    };
  }

  const askAtOnce: Ask = (request) => {
    const { outcome, served } = ask(request);
    served();
    return outcome;
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response, ask).catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    if (routeOf(pathname)?.api !== 'openai-responses') return turnAway(socket, '404 Not Found');
    const connection = acceptSocket(incoming, [socket, head]);
    if (connection) serveResponses(connection, { ask: askAtOnce, account: accountOf(incoming), now: options.now });
  });
  return server;
}

/** A request with its outcome, which is not answered yet. */
interface Asked {
  readonly outcome: Accepted | Refused;
  readonly headers: Readonly<Record<string, string>>;
  readonly waitMs: number;
  /** Call it once; `events`: how many were sent when the client hung up. */
  served(events?: number): void;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  ask: (request: ProviderRequest) => Asked,
): Promise<void> {
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
  const { outcome, headers, waitMs, served } = ask(asked);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const isStream = pathname.endsWith(':streamGenerateContent') || (isRecord(body) && body['stream'] === true);
  const answered = (value: unknown): unknown => (isInner ? { response: value } : value);
  const hungUp = new AbortController();
  response.once('close', () => hungUp.abort());
  let sent = 0;
  const goesOn = async (): Promise<boolean> => {
    if (waitMs > 0) await rest(waitMs, hungUp.signal);
    if (hungUp.signal.aborted) served(sent);
    return !hungUp.signal.aborted;
  };
  if (!(await goesOn())) return;
  if (outcome.status !== 200 || isCount || !isStream) {
    json(response, outcome.status, outcome.status === 200 && !isCount ? answered(outcome.body) : outcome.body);
    return served();
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of outcome.events) {
    if (!(await goesOn())) return;
    response.write(eventText({ ...event, data: answered(event.data) }));
    sent++;
  }
  response.end();
  served();
}

/** Waits, at most until the client hangs up. */
async function rest(waitMs: number, hungUp: AbortSignal): Promise<void> {
  try {
    await pause(Math.min(waitMs, LONGEST_TIMER_MS), hungUp);
  } catch (error) {
    if (!hungUp.aborted) throw error;
  }
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
