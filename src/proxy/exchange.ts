import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../errors.ts';
import type { LiveApi } from '../live/contract.ts';
import { type AnswerCopy, answerCopy } from './answer-usage.ts';
import type { ChangedRequest, ProxyRequestOptions } from './contract.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { decodedBody, type ReceivedBody, receivedBody } from './request-body.ts';
import type { Route } from './routes.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';

/** What may be done to a request before it is sent at the latest; then the original is sent. */
const DEADLINE_MS = 2_000;
/** Of a refusal that is not shown to the agent; the rest does not matter, and is not waited for. */
const MOST_ERROR_BYTES = 4_096;
const LONGEST_ERROR_MS = 250;

interface Sent {
  readonly answer: UpstreamAnswer;
  readonly isResent: boolean;
}

/** One request of an agent, and its answer. */
export class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #route: Route;
  readonly #upstream: Upstream;
  readonly #options: ProxyRequestOptions;
  readonly #controller = new AbortController();

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { route, upstream, ...options }: { route: Route; upstream: Upstream } & ProxyRequestOptions,
  ) {
    this.#request = request;
    this.#response = response;
    this.#route = route;
    this.#upstream = upstream;
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
    const changed = await this.#changed(api, received);
    const addedMs = performance.now() - startedAt;
    const { answer, isResent } = await this.#sendChanged(received, changed);
    const headers = new Map(pairs(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const facts = { type: headers.get('content-type') ?? '', encoding: headers.get('content-encoding') ?? '' };
    const copy = answerCopy(api, facts);
    try {
      await this.#deliver(answer, copy);
    } finally {
      const { usage, model = this.#route.model, error, isBound } = await copy.end();
      const { isCount } = this.#route;
      const { status } = answer;
      const report = changed?.report;
      if (!isResent)
        this.#tell(changed, { status, ...(error !== undefined && { error }), ...(isBound && { isBound }) });
      this.#options.onCall?.({ api, isCount, model, status, isResent, usage, report, addedMs });
    }
  }

  /** What is sent instead, the received bytes where nothing changes; undefined if the body was not looked at. Never rejects. */
  async #changed(api: LiveApi, { bytes, isWhole }: ReceivedBody): Promise<ChangedRequest | undefined> {
    const { change, onTrouble } = this.#options;
    if (!change || !isWhole) return undefined;
    const { headers } = this.#request;
    const body = await decodedBody(bytes, headers['content-encoding']);
    if (body === undefined) return undefined;
    const { target, isCount, model } = this.#route;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), DEADLINE_MS);
    });
    try {
      const request = { api, upstream: target.origin, isCount, headers, body, ...(model !== undefined && { model }) };
      const changed = await Promise.race([change(request), late]);
      if (changed === undefined) {
        onTrouble?.(`pruning took over ${DEADLINE_MS / 1_000} s; the original was sent`);
        return undefined;
      }
      if (!(changed.body instanceof Uint8Array)) throw new TypeError('Expected bytes.');
      return changed.body === body ? { ...changed, body: bytes } : changed;
    } catch (error) {
      onTrouble?.(`pruning failed (${messageOf(error)}); the original was sent`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  async #sendChanged({ bytes, isWhole }: ReceivedBody, changed: ChangedRequest | undefined): Promise<Sent> {
    const request = this.#request;
    const original = isWhole ? bytes : Readable.from(rest(bytes, request));
    const without = ['host', 'expect', 'content-length'];
    if (changed === undefined || changed.body === bytes) {
      return { answer: await this.#send(original, isWhole ? without : without.slice(0, 2)), isResent: false };
    }
    const answer = await this.#send(changed.body, [...without, 'content-encoding']);
    if (answer.status !== 400) return { answer, isResent: false };
    // Whatever was wrong with it, the agent did not write it: its own request gets the answer.
    const error = await errorText(answer);
    this.#tell(changed, { status: 400, error });
    this.#options.onTrouble?.(`a changed request was refused; the original was sent: ${error}`);
    return { answer: await this.#send(original, without), isResent: true };
  }

  /** What fails there is nothing to the agent. */
  #tell(changed: ChangedRequest | undefined, answer: Parameters<ChangedRequest['answered']>[0]): void {
    try {
      changed?.answered(answer);
    } catch (error) {
      this.#options.onTrouble?.(`an answer could not be noted (${messageOf(error)})`);
    }
  }

  #send(body: Uint8Array | NodeJS.ReadableStream | null, without: readonly string[]): Promise<UpstreamAnswer> {
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
