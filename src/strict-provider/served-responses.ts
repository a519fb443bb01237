import { type Fields, jsonFields } from '../content/foreign-value.ts';
import { HOUR_MS } from '../durations.ts';
import { RuleBroken } from '../lab/lint/rules/rule-broken.ts';
import type { WebSocket } from '../proxy/sockets/web-socket.ts';
import { previousNotFound } from './apis/openai-responses.ts';
import type { Accepted, ProviderRequest, Refused } from './contract.ts';

/** What the provider answers to a request; the next words of the script are said. */
export type Ask = (request: ProviderRequest) => Accepted | Refused;

interface Serving {
  readonly ask: Ask;
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const LONGEST_MS = HOUR_MS;
const MAX_STREAMS = 32;

/**
 * The Responses API over one connection: a request for a response continues the last response of a stream, or a warm-up, of the same
 * connection, and a refused one makes the provider forget what it continued. What the guide does not say is refused.
 * Source: https://developers.openai.com/api/docs/guides/websocket-mode
 */
export function serveResponses(socket: WebSocket, { ask, account, now }: Serving): void {
  const openedAt = now();
  /** All items up to the end of a response. */
  const responses = new Map<string, readonly unknown[]>();
  const lastOf = new Map<string, string>();
  let warmUps = 0;

  function answer(data: Buffer, isBinary: boolean, send: (event: unknown) => void): void {
    const frame = isBinary ? undefined : jsonFields(data);
    if (frame?.['type'] !== 'response.create') {
      throw new RuleBroken('Expected an event of the type `response.create`.', { code: 'invalid_event' });
    }
    if (now() - openedAt >= LONGEST_MS) {
      throw new RuleBroken(
        'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.',
        { code: 'websocket_connection_limit_reached' },
      );
    }
    const { type: _, previous_response_id: previous, stream_id: stream = '', generate = true, ...body } = frame;
    if (typeof stream !== 'string' || typeof generate !== 'boolean') {
      throw new RuleBroken('Expected `stream_id` to be a string and `generate` to be a boolean.');
    }
    if (!lastOf.has(stream) && lastOf.size > MAX_STREAMS) {
      throw new RuleBroken('Too many streams on this connection.', { code: 'websocket_stream_limit_reached' });
    }
    const input = [...before(previous), ...inputOf(body)];
    const request = { api: 'openai-responses', body: { ...body, input }, account, isCount: !generate } as const;
    const outcome = ask(request);
    if (outcome.status !== 200) {
      responses.delete(String(previous));
      send({ type: 'error', status: outcome.status, ...outcome.body });
    } else if (generate) {
      const last = lastOf.get(stream);
      if (last !== undefined) responses.delete(last);
      const id = String(outcome.body['id']);
      lastOf.set(stream, id);
      responses.set(id, [...input, ...outcome.answer]);
      for (const { data: event } of outcome.events) send(event);
    } else warmUp(body, input, send);
  }

  function warmUp({ model }: Fields, input: readonly unknown[], send: (event: unknown) => void): void {
    const id = `resp_warm${warmUps++}`;
    responses.set(id, input);
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const response = { id, object: 'response', created_at: 0, model, output: [] };
    send({ type: 'response.created', response: { ...response, status: 'in_progress' } });
    send({ type: 'response.completed', response: { ...response, status: 'completed', usage } });
  }

  function before(previous: unknown): readonly unknown[] {
    if (previous === undefined || previous === null) return [];
    const items = responses.get(String(previous));
    if (items) return items;
    throw previousNotFound(previous);
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const stream = isBinary ? undefined : jsonFields(data)?.['stream_id'];
    const send = (event: unknown): void =>
      socket.send(JSON.stringify({ ...(event as Fields), ...(typeof stream === 'string' && { stream_id: stream }) }));
    try {
      answer(data, isBinary, send);
    } catch (error) {
      if (!(error instanceof RuleBroken)) return void socket.close(1011);
      const { message, code, parameter: param } = error;
      send({ type: 'error', status: 400, error: { type: 'invalid_request_error', message, code, param } });
    }
  });
  socket.on('ping', (given: Buffer) => socket.pong(given));
  socket.on('error', () => {});
  socket.resume();
}

const inputOf = ({ input }: Fields): readonly unknown[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : Array.isArray(input) ? input : [];
