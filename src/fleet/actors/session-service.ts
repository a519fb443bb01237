import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { within } from '../../deadline.ts';
import { messageOf } from '../../errors.ts';
import { traced } from '../../telemetry/host-telemetry.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { Operation } from '../../telemetry/operation.ts';
import { every } from '../every.ts';
import type { SessionActors } from './session-actors.ts';
import type { TurnView } from './session-replica.ts';
import { isId, turnRequest } from './turn-request.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** An owner that does not answer within this time loses the turn to the node that asked. */
const OWNER_MS = 5_000;
/** Longer than this no request waits for a server that is gone. */
const STORE_MS = 10_000;
/** While it ends: time for others to learn that it answers no more, and then for the last answers. */
const LEAVE_MS = 2_000;
const LAST_ANSWERS_MS = 15_000;
/** If the process that took a turn is gone and the turn waits for this long, its present owner does it. */
const SWEEP_MS = 1_500;
const FORWARDED = 'x-density-forwarded';
const PATH = /^\/sessions\/([^/]+)\/turns$/;

export interface SessionServiceOptions {
  readonly actors: SessionActors;
  /** Who may call. */
  readonly token: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The base URL of the node that a session belongs to; undefined: this one. */
  readonly ownerOf: (session: string) => string | undefined;
  /** Sessions with a turn that waits for longer than so many milliseconds. */
  readonly pending: (olderThanMs: number) => Promise<readonly string[]>;
  /** Why it should get no new turns; undefined: it may. */
  readonly notReady?: () => string | undefined;
  readonly metrics: Metrics;
}

/** An answer that is not 200. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * `POST /sessions/:id/turns`: adds a turn to a session and answers with what the host may send to its model. The owner of the session answers,
 * other nodes forward; if the owner does not answer, any node does the work itself.
 * Source: docs/fleet.md, "Sessions on servers".
 */
export class SessionService {
  readonly #options: SessionServiceOptions;
  readonly #server: Server;
  readonly #operation: Operation;
  readonly #took: ReturnType<Metrics['duration']>;
  readonly #forwards: ReturnType<Metrics['counter']>;
  #endSweeps = (): void => {};
  #isClosing = false;

  private constructor(options: SessionServiceOptions) {
    this.#options = options;
    const { metrics, notReady } = options;
    this.#operation = new Operation({ metrics, notReady: () => (this.#isClosing ? 'closing' : notReady?.()) });
    this.#took = metrics.duration({ name: 'density.request', help: 'Time of requests for turns.', labels: ['status'] });
    this.#forwards = metrics.counter({
      name: 'density.forwards',
      help: 'Turns that were sent to the owner of their session, by whether it answered.',
      labels: ['answered'],
    });
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @throws what listening throws, for example `EADDRINUSE`. */
  static async start(options: SessionServiceOptions): Promise<SessionService> {
    const service = new SessionService(options);
    service.#server.listen(options.port, options.host);
    await once(service.#server, 'listening');
    service.#endSweeps = every(SWEEP_MS, () => service.#sweepPending());
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Says that it is not ready, and still answers until everybody can know it. Then it accepts nothing new, answers what it has accepted, and
   * ends. Its caller has handed over the sessions.
   */
  async close({ leaveMs = LEAVE_MS }: { readonly leaveMs?: number } = {}): Promise<void> {
    this.#isClosing = true;
    this.#endSweeps();
    await wait(leaveMs);
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => this.#server.closeAllConnections(), LAST_ANSWERS_MS);
    await closed;
    clearTimeout(cut);
    await this.#options.actors.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#operation.answers(request.url, response)) return;
    const startedAt = performance.now();
    const send = (status: number, body: object): void => {
      this.#took(performance.now() - startedAt, { status: String(status) });
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(this.#isClosing && { connection: 'close' }),
      });
      response.end(JSON.stringify(body));
    };
    try {
      send(200, await this.#turn(request));
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 503;
      send(status, { error: messageOf(error) });
    }
  }

  async #turn(request: IncomingMessage): Promise<TurnView> {
    if (!this.#isAllowed(request.headers.authorization)) throw new Refusal(401, 'Expected the token of this service.');
    const session = PATH.exec(request.url ?? '')?.[1];
    if (request.method !== 'POST' || session === undefined)
      throw new Refusal(404, 'Expected POST /sessions/:id/turns.');
    if (!isId(session)) throw new Refusal(400, 'Expected the id of a session: 1 to 200 letters, digits or ._:-');
    const body = await bodyOf(request);
    const asked = turnRequest(jsonOf(body));
    if (typeof asked === 'string') throw new Refusal(400, asked);
    const { actors, ownerOf } = this.#options;
    const answer = async (): Promise<TurnView> => {
      if (asked.entries.length > 0) {
        const enqueued = await inTime(actors.enqueue(session, asked));
        if (enqueued === 'refused')
          throw new Refusal(409, `Expected the same entries as before under the id of turn ${asked.turn}, got others.`);
      }
      const owner = request.headers[FORWARDED] === undefined ? ownerOf(session) : undefined;
      const answered = owner === undefined ? undefined : await this.#forwarded(`${owner}${request.url}`, body);
      return answered ?? inTime(actors.run(session));
    };
    return traced('density.turn', answer, ({ tokens }) => ({
      'gen_ai.conversation.id': session,
      'density.tokens': tokens,
    }));
  }

  /** The owner's answer; undefined if it has none. */
  async #forwarded(url: string, body: string): Promise<TurnView | undefined> {
    const headers = { authorization: `Bearer ${this.#options.token}`, [FORWARDED]: '1' };
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(OWNER_MS) })
      .then((answered) => (answered.ok ? (answered.json() as Promise<TurnView>) : undefined))
      .catch(() => undefined);
    this.#forwards(1, { answered: answer === undefined ? 'no' : 'yes' });
    return answer;
  }

  /** Turns whose node died, or never got to them. */
  async #sweepPending(): Promise<void> {
    const { pending, ownerOf, actors } = this.#options;
    for (const session of await pending(SWEEP_MS)) if (ownerOf(session) === undefined) await actors.run(session);
  }

  #isAllowed(header: string | undefined): boolean {
    const given = Buffer.from(header ?? '');
    const wanted = Buffer.from(`Bearer ${this.#options.token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) throw new Refusal(413, `Expected at most ${MAX_BYTES} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'Expected JSON.');
  }
}

/** What `work` gives, unless the server that keeps the sessions does not answer. */
const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
  within(STORE_MS, work, (): never => {
    throw new Refusal(503, 'The server that keeps the sessions does not answer. Send the same turn again.');
  });
