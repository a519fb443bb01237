import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../errors.ts';
import type { LiveApi } from '../live/contract.ts';
import type { ChangedRequest, ChangeRequest } from '../live/exchange/contract.ts';
import { type AnsweredRequest, sendChanged } from '../live/exchange/send-changed.ts';
import { type AnswerCopy, answerCopy } from './answer/answer-copy.ts';
import type { AnswerFacts } from './answer/answer-facts.ts';
import type { CopyRoom } from './answer/copy-room.ts';
import { errorText, headerPairs } from './answer/error-text.ts';
import { noteAnswer } from './answer/note-answer.ts';
import { apiLogin } from './api-login.ts';
import type { ProxyRequestOptions } from './contract.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import {
  declaredLength,
  decodedBody,
  LARGEST_BODY_BYTES,
  mostPlainBytes,
  type ReceivedBody,
  receivedBody,
} from './intake/request-body.ts';
import { ANY_MEMORY, type OwnMemory, workBytes } from './intake/request-memory.ts';
import type { OneByOne } from './one-by-one.ts';
import { sendProviderError } from './provider-error.ts';
import type { Route } from './routes.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';
import { type Moment, momentNow } from './warm/clocks.ts';
import type { EndedAnswer, Keeper, KeptRequest } from './warm/keeper.ts';
import type { SentMessages } from './warm/ping-request.ts';

/** When a request for which there was no memory is worth trying again. */
const BUSY_S = 5;

/** What was sent, without its body. */
interface AnsweredExchange extends Omit<AnsweredRequest<UpstreamAnswer>, 'changed'> {
  readonly changed: Omit<ChangedRequest, 'body'> | undefined;
  readonly startedAt: number;
}

export interface KeptRequestOptions extends ProxyRequestOptions {
  /** Keeps the prompts of requests in their provider's cache; absent: no ping is sent. */
  readonly keeper?: Keeper;
}

export interface ExchangeOptions extends KeptRequestOptions {
  readonly route: Route;
  readonly upstream: Upstream;
  /** Shared with other requests: looking at them takes the thread. */
  readonly looks: OneByOne;
  /** Shared with other requests. */
  readonly room: CopyRoom;
}

/** One request of an agent, and its answer. */
export class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: ExchangeOptions;
  readonly #controller = new AbortController();
  /** When it was sent first, and last. */
  #sentAt: number | undefined;
  #lastSentAt: Moment | undefined;
  #kept: KeptRequest | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const response = this.#response;
    // The agent hung up, so the rest of the answer would only cost money.
    response.once('close', () => {
      if (!response.writableFinished) this.#controller.abort();
    });
    try {
      const { api } = this.#options.route;
      if (api === undefined) await this.#passThrough();
      else await this.#converse(api);
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
    let ended: EndedAnswer | undefined;
    try {
      ended = await this.#answered(api);
    } finally {
      this.#kept?.ended(ended);
    }
  }

  /** The answer, if the agent got all of it. */
  async #answered(api: LiveApi): Promise<EndedAnswer | undefined> {
    const sent = await this.#sendInMemory(api);
    if (sent === undefined) return void this.#refuseBusy(api);
    const { answer, startedAt } = sent;
    const headers = new Map(headerPairs(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const copy = answerCopy(api, {
      type: headers.get('content-type') ?? '',
      encoding: headers.get('content-encoding') ?? '',
      room: this.#options.room,
    });
    let facts: AnswerFacts;
    try {
      await this.#deliver(answer, copy);
    } finally {
      const { isCount, model } = this.#options.route;
      const isByKey = apiLogin(this.#request.rawHeaders) === 'key';
      const call = {
        api,
        isCount,
        model,
        status: answer.status,
        ...(isByKey && { isByKey }),
        startedAt,
        sentAt: this.#sentAt,
      };
      facts = await copy.end();
      noteAnswer(this.#options, facts, { ...call, sent });
    }
    return { status: answer.status, headers: answer.headers, facts };
  }

  /**
   * Reads and sends a request when there is memory for it; undefined if there is none in time. Its bytes are given back when the
   * provider answers.
   */
  async #sendInMemory(api: LiveApi): Promise<AnsweredExchange | undefined> {
    const request = this.#request;
    const { memory = ANY_MEMORY } = this.#options;
    const length = declaredLength(request) ?? LARGEST_BODY_BYTES;
    const place = await memory.toRead(Math.min(length, LARGEST_BODY_BYTES), this.#controller.signal);
    try {
      if (place === undefined) return undefined;
      const received = await receivedBody(request);
      place.shrink(received.bytes.length);
      const startedAt = performance.now();
      const sent = await this.#sendPruned(api, received, memory);
      if (sent === undefined) return undefined;
      // Without the body, which is not needed any more.
      const { body: _, ...changed } = sent.changed ?? { body: undefined };
      return { ...sent, changed: 'answered' in changed ? changed : undefined, startedAt };
    } finally {
      place?.leave();
    }
  }

  /** Sends a request changed, if its body can be looked at; else as it was. Undefined if there is no memory to look at it. */
  async #sendPruned(
    api: LiveApi,
    { bytes, isWhole }: ReceivedBody,
    memory: OwnMemory,
  ): Promise<AnsweredRequest<UpstreamAnswer> | undefined> {
    const request = this.#request;
    const { change, onTrouble } = this.#options;
    const send = (changed?: Uint8Array): Promise<UpstreamAnswer> => {
      if (changed) return this.#send(changed, ['host', 'expect', 'content-length', 'content-encoding']);
      if (isWhole) return this.#send(bytes, ['host', 'expect', 'content-length']);
      return this.#send(Readable.from(rest(bytes, request)), ['host', 'expect']);
    };
    if (!change || !isWhole) return { answer: await send(), isResent: false };
    const { headers } = request;
    const { signal } = this.#controller;
    const encoding = headers['content-encoding'];
    const place = await memory.toLook(mostPlainBytes(bytes, encoding), signal);
    if (place === undefined) return undefined;
    // If the work takes too long, the original is sent, and the work still uses its memory.
    let isWorking = false;
    let isOver = false;
    const changeNow: ChangeRequest = async (outgoing) => {
      isWorking = true;
      try {
        return await change(outgoing);
      } finally {
        isWorking = false;
        if (isOver) place.leave();
      }
    };
    const sendNow = (changed?: Uint8Array): Promise<UpstreamAnswer> => {
      if (!isWorking) place.shrink(changed?.length ?? 0);
      return send(changed);
    };
    try {
      const body = await decodedBody(bytes, encoding);
      if (!body) return { answer: await sendNow(), isResent: false };
      place.shrink(workBytes(body.length));
      const { target, ...facts } = this.#options.route;
      await this.#options.looks.turn();
      const outgoing = { ...facts, api, upstream: target.origin, headers, body, signal };
      const onChanged = (changed: ChangedRequest | undefined): void => {
        if (api === 'anthropic-messages' && !facts.isCount) this.#kept = this.#options.keeper?.begin(changed, headers);
      };
      const sent = await sendChanged(outgoing, {
        change: changeNow,
        onChanged,
        send: sendNow,
        refusal: errorText,
        onTrouble,
      });
      if (sent.changed) this.#kept?.sent(this.#messages(sent.changed.body), this.#lastSentAt!, sent.changed.keepWarm);
      return sent;
    } finally {
      isOver = true;
      if (!isWorking) place.leave();
    }
  }

  #messages(body: Uint8Array): SentMessages {
    const { method = 'POST', rawHeaders } = this.#request;
    return { method, target: this.#options.route.target, headers: forwardedHeaders(rawHeaders), body };
  }

  /** The rest of the body is read and thrown away, so that the agent sees the answer. */
  #refuseBusy(api: LiveApi): void {
    const message = `This replica has no memory for the request now. Try again in ${BUSY_S} s.`;
    sendProviderError(this.#response, { api, kind: 'busy', message, retryAfterSeconds: BUSY_S });
  }

  #send(body: Uint8Array | NodeJS.ReadableStream | null, without: readonly string[]): Promise<UpstreamAnswer> {
    this.#lastSentAt = momentNow();
    this.#sentAt ??= this.#lastSentAt.monotonicMs;
    return this.#options.upstream.send({
      target: this.#options.route.target,
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
    const { origin } = this.#options.route.target;
    const trouble = `${origin} could not be reached (${messageOf(error)}).`;
    this.#options.onTrouble?.(trouble);
    const message = `density: ${trouble}`;
    const type = 'api_error';
    this.#response
      .writeHead(502, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error: { type, message, code: 502, status: 'UNAVAILABLE' } }));
  }
}

async function* rest(bytes: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield bytes;
  yield* request;
}
