import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { forwardedHeaders, listed } from '../forwarded-headers.ts';

export type { WebSocket } from 'ws';

/** As much as a body over HTTP. A longer message ends its connection with 1009. */
const LARGEST_MESSAGE_BYTES = 34 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 30_000;
const PROTOCOLS = 'sec-websocket-protocol';
/** Headers of one connection; the other connection has its own. */
const OWN_HEADERS = [
  'host',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  PROTOCOLS,
  'sec-websocket-accept',
];
/** Without compression, which would take memory for each connection; pings are answered by the other end. */
const OPTIONS = { perMessageDeflate: false, maxPayload: LARGEST_MESSAGE_BYTES, autoPong: false } as const;

/** A connection to a server, which reads nothing until `resume` is called. */
export interface OpenedSocket {
  readonly socket: WebSocket;
  /** Names and values of the answer to the upgrade, one after the other. */
  readonly headers: readonly string[];
}

/** An answer that is no upgrade. */
interface RefusedUpgrade {
  readonly refused: IncomingMessage;
}

/** The protocols that a request asks for, each once: the library takes none twice, and some clients and most servers do. */
const askedProtocols = ({ headers }: IncomingMessage): string[] => [...new Set(listed(headers[PROTOCOLS] ?? ''))];

/**
 * Opens a connection for a request of an agent, with its headers.
 * @throws SyntaxError if the request asks for what no server accepts; another error if the server cannot be reached.
 */
export async function openSocket(
  target: URL,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<OpenedSocket | RefusedUpgrade> {
  const options: ClientOptions = {
    ...OPTIONS,
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    headers: groupedHeaders(forwardedHeaders(request.rawHeaders, OWN_HEADERS)),
  };
  const socket = new WebSocket(target, askedProtocols(request), options);
  const abort = (): void => socket.terminate();
  signal.addEventListener('abort', abort);
  return new Promise<OpenedSocket | RefusedUpgrade>((resolve, reject) => {
    let headers: readonly string[] = [];
    socket.once('upgrade', (answer) => {
      headers = forwardedHeaders(answer.rawHeaders, OWN_HEADERS);
    });
    socket.once('open', () => {
      socket.pause();
      resolve({ socket, headers });
    });
    socket.once('unexpected-response', (_, refused) => resolve({ refused }));
    socket.on('error', reject);
  }).finally(() => signal.removeEventListener('abort', abort));
}

/** Names with their values: of a name that comes twice, all of them. */
function groupedHeaders(flat: readonly string[]): Record<string, string> {
  const grouped = new Map<string, readonly [name: string, value: string]>();
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = flat[at]!;
    const value = flat[at + 1]!;
    const [first, before] = grouped.get(name.toLowerCase()) ?? [];
    // Source: RFC 9110, section 5.3; no request has cookies twice.
    grouped.set(name.toLowerCase(), [first ?? name, before === undefined ? value : `${before}, ${value}`]);
  }
  return Object.fromEntries(grouped.values());
}

/** How an upgrade is answered. */
interface AcceptedAs {
  /** Names and values, one after the other. */
  readonly headers?: readonly string[];
  readonly protocol?: string;
}

const accepting = new WeakMap<IncomingMessage, AcceptedAs>();
const server = new WebSocketServer({
  ...OPTIONS,
  noServer: true,
  clientTracking: false,
  handleProtocols: (_, request) => accepting.get(request)?.protocol || false,
});
server.on('headers', (lines, request) => {
  const { headers = [] } = accepting.get(request) ?? {};
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
});

/** Answers an upgrade; undefined if the request is not an upgrade; the client then gets an error. The connection reads nothing until `resume` is called. */
export function acceptSocket(
  request: IncomingMessage,
  [socket, head]: readonly [Duplex, Buffer],
  as: AcceptedAs = {},
): WebSocket | undefined {
  let accepted: WebSocket | undefined;
  accepting.set(request, as);
  if (PROTOCOLS in request.headers) request.headers[PROTOCOLS] = askedProtocols(request).join(', ');
  server.handleUpgrade(request, socket, head, (one) => {
    accepted = one;
    one.pause();
  });
  return accepted;
}
