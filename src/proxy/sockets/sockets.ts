import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getProxyForUrl } from 'proxy-from-env';
import { messageOf } from '../../errors.ts';
import { apiOfPath } from '../../formats/api-path.ts';
import { SerialQueue } from '../../serial-queue.ts';
import type { ProxyRequestOptions } from '../contract.ts';
import { forwardedHeaders } from '../forwarded-headers.ts';
import { turnAway } from '../intake/unreadable-requests.ts';
import type { OneByOne } from '../one-by-one.ts';
import { carryControl, type Frame, readOn, sendOn } from './carry.ts';
import { ResponseFrames } from './response-frames.ts';
import { UnansweredSocket } from './unanswered.ts';
import { acceptSocket, type OpenedSocket, openSocket, type WebSocket } from './web-socket.ts';

/** Agents send whole requests over HTTP in the same turn after this answer. */
const NONE_HERE = '426 Upgrade Required';
/** An agent has one or two, and each of its sub-agents. */
const MAX_SOCKETS = 64;
/** How servers answer that know of no WebSocket at a path. */
const KNOWS_NONE: ReadonlySet<number | undefined> = new Set([200, 404, 405, 426, 501]);

/** An upgrade that may be asked for here. */
interface Upgrade {
  readonly target: URL;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What came after the headers. */
  readonly head: Buffer;
}

interface SocketsOptions extends ProxyRequestOptions {
  /** Shared with requests over HTTP. */
  readonly looks: OneByOne;
}

interface Open {
  readonly frames: ResponseFrames;
  terminate(): void;
}

/** The WebSockets of agents that speak the Responses API, each with one to its provider. */
export class Sockets {
  readonly #options: SocketsOptions;
  readonly #open = new Set<Open>();
  #opening = 0;
  #isClosing = false;

  constructor(options: SocketsOptions) {
    this.#options = options;
  }

  /** Opens a connection to the provider and answers the upgrade as the provider did. Never rejects. */
  async open(upgrade: Upgrade): Promise<void> {
    const { target, request, socket } = upgrade;
    socket.on('error', () => {});
    const isResponses =
      apiOfPath(target.pathname)?.api === 'openai-responses' && !apiOfPath(target.pathname)?.isSummary;
    const isFull = this.#isClosing || this.#open.size + this.#opening >= MAX_SOCKETS;
    const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (!isResponses || !isSocket || isFull || isBehindProxy(target)) return turnAway(socket, NONE_HERE);
    this.#opening++;
    const unanswered = new UnansweredSocket(socket, upgrade.head);
    const { left } = unanswered;
    try {
      const opened = await openSocket(target, request, left);
      if ('refused' in opened) await refuse(upgrade, opened.refused, left);
      else this.#accept({ ...upgrade, head: unanswered.release() }, opened);
    } catch (error) {
      const isRequest = error instanceof SyntaxError;
      if (!isRequest && !left.aborted)
        this.#options.onTrouble?.(`${target.origin} could not be reached (${messageOf(error)}).`);
      turnAway(socket, isRequest ? '400 Bad Request' : '502 Bad Gateway');
    } finally {
      this.#opening--;
    }
  }

  /** Ends connections on which no answer is on its way, and takes no new ones. */
  endIdle(): void {
    this.#isClosing = true;
    for (const one of this.#open) if (one.frames.isIdle) one.terminate();
  }

  /** Ends all connections. */
  end(): void {
    this.#isClosing = true;
    for (const one of this.#open) one.terminate();
  }

  #accept({ target, request, socket, head }: Upgrade, { socket: upstream, headers }: OpenedSocket): void {
    const agent = acceptSocket(request, [socket, head], { headers, protocol: upstream.protocol });
    if (agent === undefined) {
      upstream.terminate();
      return;
    }
    const frames = new ResponseFrames({
      ...this.#options,
      headers: request.headers,
      upstream: target.origin,
      toUpstream: (frame) => sendOn(frame, agent, upstream),
      toAgent: (frame) => sendOn(frame, upstream, agent),
    });
    const terminate = (): void => {
      agent.terminate();
      upstream.terminate();
    };
    const open: Open = { frames, terminate };
    this.#open.add(open);
    inOrder(agent, upstream, (frame) => frames.fromAgent(frame));
    upstream.on('message', (data: Buffer, isBinary: boolean) => frames.fromUpstream({ data, isBinary }));
    carryControl(agent, upstream);
    carryControl(upstream, agent);
    for (const one of [agent, upstream]) {
      one.on('close', () => {
        this.#open.delete(open);
        frames.end();
      });
      one.resume();
    }
  }
}

/** Takes the next frame of the agent when the one before is sent; until then nothing more is read. */
function inOrder(agent: WebSocket, upstream: WebSocket, take: (frame: Frame) => Promise<void>): void {
  const queue = new SerialQueue();
  let waiting = 0;
  agent.on('message', (data: Buffer, isBinary: boolean) => {
    waiting++;
    agent.pause();
    void queue.run(async () => {
      await take({ data, isBinary });
      if (--waiting === 0) readOn(agent, upstream);
    });
  });
}

/** True if the way to a provider leads through a proxy of the environment, which only requests over HTTP take. */
const isBehindProxy = (target: URL): boolean =>
  !['127.0.0.1', 'localhost', '[::1]'].includes(target.hostname) && getProxyForUrl(target.href) !== '';

/** Answers as the provider did that does not upgrade. */
async function refuse({ request, socket }: Upgrade, answer: IncomingMessage, signal: AbortSignal): Promise<void> {
  if (KNOWS_NONE.has(answer.statusCode)) {
    answer.destroy();
    return turnAway(socket, NONE_HERE);
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  response.writeHead(answer.statusCode ?? 502, forwardedHeaders(answer.rawHeaders));
  await pipeline(answer, response, { signal }).catch(() => {});
  socket.end(() => socket.destroy());
}

/** Ends an upgrade that is not for a provider. */
export const refuseUpgrade = (socket: Duplex, status: number): void =>
  turnAway(socket, `${status} ${STATUS_CODES[status]}`);
