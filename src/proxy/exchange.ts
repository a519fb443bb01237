import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../errors.ts';
import type { LiveApi } from '../live/contract.ts';
import { type SentRequest, sendChanged, tellAnswer } from '../live/exchange/send-changed.ts';
import { type AnswerCopy, answerCopy } from './answer-usage.ts';
import type { ProxyRequestOptions } from './contract.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import type { OneByOne } from './one-by-one.ts';
import { decodedBody, type ReceivedBody, receivedBody } from './request-body.ts';
import type { Route } from './routes.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';

/** Of a refusal that is not shown to the agent; the rest does not matter, and is not waited for. */
const MOST_ERROR_BYTES = 4_096;
const LONGEST_ERROR_MS = 250;

export interface ExchangeOptions extends ProxyRequestOptions {
  readonly route: Route;
  readonly upstream: Upstream;
  /** Shared with other requests: looking at them takes the thread. */
  readonly looks: OneByOne;
}

/** One request of an agent, and its answer. */
export class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #route: Route;
  readonly #upstream: Upstream;
  readonly #looks: OneByOne;
  readonly #options: ProxyRequestOptions;
  readonly #controller = new AbortController();
  /** When it was sent first. */
  #sentAt: number | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { route, upstream, looks, ...options }: ExchangeOptions,
  ) {
    this.#request = request;
    this.#response = response;
    this.#route = route;
    this.#upstream = upstream;
    this.#looks = looks;
    this.#options = options;
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const response = this.#response;
    // The agent hung up: nobody pays for the rest of the answer.
    response.once('close', () => {
      if (!response.writableFinished) this.#controller.abort();
    });
    try {
      const { api } = this.#route;
      await (api === undefined ? this.#passThrough() : this.#converse(api));
    } catch (error) {
      if (response.headersSent || this.#controller.signal.aborted) response.destroy();
      else this.#unreachable(error);
    }
  }

  async #passThrough(): Promise<void> {
    const { 'content-length': length, 'transfer-encoding': encoding } = this.#request.headers;
    const hasBody = length !== undefined || encoding !== undefined;
    await this.#deliver(await this.#send(hasBody ? this.#request : null, ['host', 'expect']));
  }

  async #converse(api: LiveApi): Promise<void> {
    const received = await receivedBody(this.#request);
    const startedAt = performance.now();
    const { answer, changed, isResent } = await this.#sendPruned(api, received);
    const headers = new Map(pairs(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const facts = { type: headers.get('content-type') ?? '', encoding: headers.get('content-encoding') ?? '' };
    const copy = answerCopy(api, facts);
    try {
      await this.#deliver(answer, copy);
    } finally {
      const { usage, model = this.#route.model, error, isBound } = await copy.end();
      const { onCall, onTrouble } = this.#options;
      const { isCount } = this.#route;
      const { status } = answer;
      const told = { status, ...(error !== undefined && { error }), ...(isBound && { isBound }) };
      if (changed && !isResent) tellAnswer(changed, told, onTrouble);
      const addedMs = (this.#sentAt ?? startedAt) - startedAt;
      const tookMs = performance.now() - startedAt;
      onCall?.({ api, isCount, model, status, isResent, usage, report: changed?.report, addedMs, tookMs });
    }
  }

  /** Sends a request changed, if its body can be looked at; else as it was. */
  async #sendPruned(api: LiveApi, { bytes, isWhole }: ReceivedBody): Promise<SentRequest<UpstreamAnswer>> {
    const request = this.#request;
    const { change, onTrouble } = this.#options;
    const send = (changed?: Uint8Array): Promise<UpstreamAnswer> => {
      if (changed) return this.#send(changed, ['host', 'expect', 'content-length', 'content-encoding']);
      if (isWhole) return this.#send(bytes, ['host', 'expect', 'content-length']);
      return this.#send(Readable.from(rest(bytes, request)), ['host', 'expect']);
    };
    const { headers } = request;
    const body = change && isWhole ? await decodedBody(bytes, headers['content-encoding']) : undefined;
    if (!change || !body) return { answer: await send(), isResent: false };
    const { target, ...facts } = this.#route;
    await this.#looks.turn();
    const { signal } = this.#controller;
    const outgoing = { ...facts, api, upstream: target.origin, headers, body, signal };
    return sendChanged(outgoing, { change, send, refusal: errorText, onTrouble });
  }

  #send(body: Uint8Array | NodeJS.ReadableStream | null, without: readonly string[]): Promise<UpstreamAnswer> {
    this.#sentAt ??= performance.now();
    return this.#upstream.send({
      target: this.#route.target,
      method: this.#request.method ?? 'GET',
      headers: forwardedHeaders(this.#request.rawHeaders, without),
      body,
      signal: this.#controller.signal,
    });
  }

  /** Sends the answer as it comes. An answer that breaks off breaks off here too. */
  async #deliver({ status, headers, body }: UpstreamAnswer, copy?: AnswerCopy): Promise<void> {
    const response = this.#response;
    response.writeHead(status, forwardedHeaders(headers));
    response.flushHeaders();
    if (copy) body.on('data', (chunk: Uint8Array) => copy.write(chunk));
    await pipeline(body, response);
  }

  #unreachable(error: unknown): void {
    const { origin } = this.#route.target;
    const message = `density: ${origin} could not be reached (${messageOf(error)}).`;
    this.#options.onTrouble?.(message);
    const type = 'api_error';
    this.#response
      .writeHead(502, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error: { type, message, code: 502, status: 'UNAVAILABLE' } }));
  }
}

/** The start of a refusal. Never rejects: one that breaks off, or does not end, is as good. */
async function errorText({ headers, body }: UpstreamAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const timer = setTimeout(() => body.destroy(), LONGEST_ERROR_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Uint8Array);
      sizeBytes += (chunk as Uint8Array).length;
      if (sizeBytes > MOST_ERROR_BYTES) break;
    }
  } catch {
    // What came of it has to do.
  } finally {
    clearTimeout(timer);
  }
  const [, encoding] = pairs(headers).find(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  const plain = await decodedBody(Buffer.concat(chunks), encoding);
  return Buffer.from(plain?.subarray(0, MOST_ERROR_BYTES) ?? []).toString();
}

async function* rest(bytes: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield bytes;
  yield* request;
}

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at]!, raw[2 * at + 1]!]);
