import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isRecord } from '../content/foreign-value.ts';
import type { Accepted, ApiName, ProviderRequest, Refused, Said, ServerEvent } from './contract.ts';
import type { StrictProvider } from './strict-provider.ts';

interface Route {
  readonly path: RegExp;
  readonly api: ApiName;
  readonly isCount?: boolean;
  readonly isStream?: boolean;
}

/** Matched against the end of the path, so that any path may stand before it. */
const ROUTES: readonly Route[] = [
  { path: /\/v1\/messages$/, api: 'anthropic-messages' },
  { path: /\/v1\/messages\/count_tokens$/, api: 'anthropic-messages', isCount: true },
  { path: /\/responses$/, api: 'openai-responses' },
  { path: /\/chat\/completions$/, api: 'openai-chat' },
  { path: /\/models\/([^/:]+):generateContent$/, api: 'gemini-api' },
  { path: /\/models\/([^/:]+):streamGenerateContent$/, api: 'gemini-api', isStream: true },
  { path: /\/models\/([^/:]+):countTokens$/, api: 'gemini-api', isCount: true },
];

export interface ServerOptions {
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
  return createServer((incoming, response) => {
    answer(incoming, response, { provider, options, script }).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
}

interface Serving {
  readonly provider: StrictProvider;
  readonly options: ServerOptions;
  readonly script: Said[] | ((request: ProviderRequest) => Said | undefined);
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { provider, options, script }: Serving,
): Promise<void> {
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
  const route = ROUTES.find(({ path }) => path.test(pathname));
  if (incoming.method === 'HEAD') return void response.writeHead(200).end();
  if (route === undefined || incoming.method !== 'POST') {
    return json(response, 404, {
      error: { type: 'not_found_error', message: `Not found: ${incoming.method} ${pathname}` },
    });
  }
  const body = await bodyOf(incoming);
  const { api, isCount = false } = route;
  const model = route.path.exec(pathname)?.[1];
  const asked: ProviderRequest = {
    api,
    body,
    isCount,
    account: accountOf(incoming),
    betas: String(incoming.headers['anthropic-beta'] ?? '')
      .split(/[,\s]+/)
      .filter(Boolean),
    ...(model !== undefined && { model: decodeURIComponent(model) }),
  };
  const says = isCount ? undefined : typeof script === 'function' ? script(asked) : script[0];
  const request = says ? { ...asked, says } : asked;
  const outcome = provider.receive(request, options.now());
  if (outcome.status === 200 && !isCount && Array.isArray(script)) script.shift();
  options.onRequest?.(request, outcome);
  const isStream = route.isStream === true || (isRecord(body) && body['stream'] === true);
  if (outcome.status !== 200 || isCount || !isStream) return json(response, outcome.status, outcome.body);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of outcome.events) response.write(eventText(event));
  response.end();
}

/** A request's credential names its account. */
function accountOf({ headers }: IncomingMessage): string {
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /i, '');
  return typeof key === 'string' && key !== '' ? key : 'default';
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function eventText({ event, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
