import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ProviderRequest, Said } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

type Fields = Record<string, unknown>;
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

async function connection(script: readonly Said[] = []) {
  const clock = { now: 0 };
  const requests: ProviderRequest[] = [];
  const onRequest = (request: ProviderRequest) => requests.push(request);
  const server = providerServer(new StrictProvider(), { now: () => clock.now, script, onRequest });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/responses`);
  ended.push(() => {
    socket.terminate();
    server.close();
  });
  await once(socket, 'open');
  /** The events of the answer. */
  const ask = async (frame: unknown): Promise<Fields[]> => {
    const events: Fields[] = [];
    const over = new Promise<void>((resolve) => {
      const read = (data: Buffer): void => {
        const event = JSON.parse(data.toString()) as Fields;
        events.push(event);
        if (event['type'] !== 'response.completed' && event['type'] !== 'error') return;
        socket.off('message', read);
        resolve();
      };
      socket.on('message', read);
    });
    socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame));
    await over;
    return events;
  };
  return { ask, clock, requests };
}

const create = (input: readonly unknown[], previous?: string, rest: Fields = {}) => ({
  type: 'response.create',
  model: 'gpt-5.4',
  store: false,
  input,
  ...rest,
  ...(previous !== undefined && { previous_response_id: previous }),
});
const user = { type: 'message', role: 'user', content: 'go' };
const idOf = (events: readonly Fields[]) => String((events.at(-1)!['response'] as Fields)['id']);
const codeOf = (events: readonly Fields[]) => [events.length, (events[0]!['error'] as Fields)['code']];
const READ: Said = { thinking: 'now', calls: [{ id: 'c', name: 'read', input: {} }] };
const output = { type: 'function_call_output', call_id: 'c', output: 'text' };

describe('the Responses API over a WebSocket', () => {
  test('continues the last response: what is sent is what is new', async () => {
    const { ask, requests } = await connection([READ]);
    const first = await ask(create([user]));
    expect(first.map(({ type }) => type)).toEqual([
      'response.created',
      ...Array.from({ length: 2 }, () => ['response.output_item.added', 'response.output_item.done']).flat(),
      'response.completed',
    ]);
    await ask(create([output], idOf(first)));
    const { input } = requests[1]!.body as { input: Fields[] };
    expect(input.map(({ type }) => type)).toEqual(['message', 'reasoning', 'function_call', 'function_call_output']);
  });

  test('is warmed up without an answer, and the warm-up is continued', async () => {
    const { ask, requests } = await connection([{ text: 'hello' }]);
    const warm = await ask(create([user], undefined, { generate: false }));
    expect(warm.map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
    await ask(create([user], idOf(warm)));
    await ask(create([user], idOf(warm)));
    expect(requests.map(({ body, isCount }) => [(body as { input: [] }).input.length, isCount])).toEqual([
      [1, true],
      [2, false],
      [2, false],
    ]);
  });

  test('is warmed up with tools and instructions alone, but answers nothing to an empty input', async () => {
    const { ask } = await connection([{ text: 'hello' }]);
    const warm = await ask(create([], undefined, { generate: false, instructions: 'Be brief.' }));
    expect(warm.map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
    expect((await ask(create([user], idOf(warm)))).at(-1)!['type']).toBe('response.completed');
    expect((await ask(create([])))[0]!['type']).toBe('error');
  });

  test('answers each stream by its name; another one may continue its last response', async () => {
    const { ask } = await connection([{ text: 'a' }, { text: 'b' }]);
    const first = await ask(create([user], undefined, { stream_id: 'a' }));
    expect(first.every((event) => event['stream_id'] === 'a')).toBe(true);
    const fork = await ask(create([user], idOf(first), { stream_id: 'b' }));
    expect(fork.at(-1)).toMatchObject({ type: 'response.completed', stream_id: 'b' });
    expect((await ask(create([user], idOf(first), { stream_id: 'a' }))).at(-1)!['type']).toBe('response.completed');
  });

  test('knows no response that is not the last one of its stream', async () => {
    const { ask } = await connection([{ text: 'a' }, { text: 'b' }]);
    const first = await ask(create([user]));
    await ask(create([user], idOf(first)));
    expect(codeOf(await ask(create([user], idOf(first))))).toEqual([1, 'previous_response_not_found']);
  });

  test('forgets a response whose continuation it refused', async () => {
    const { ask } = await connection([READ]);
    const first = await ask(create([user]));
    expect(codeOf(await ask(create([user], idOf(first))))).toEqual([1, null]);
    expect(codeOf(await ask(create([output], idOf(first))))).toEqual([1, 'previous_response_not_found']);
  });

  test('ends after an hour', async () => {
    const { ask, clock } = await connection();
    clock.now = 60 * 60_000;
    expect(codeOf(await ask(create([user])))).toEqual([1, 'websocket_connection_limit_reached']);
  });

  test('has 32 streams with a name', async () => {
    const { ask } = await connection();
    for (const stream_id of Array.from({ length: 32 }, (_, at) => `s${at}`))
      await ask(create([user], undefined, { stream_id }));
    await ask(create([user]));
    expect(codeOf(await ask(create([user], undefined, { stream_id: 'more' })))).toEqual([
      1,
      'websocket_stream_limit_reached',
    ]);
  });

  test('refuses what the guide does not say', async () => {
    const { ask } = await connection();
    for (const frame of [{ type: 'response.cancel' }, create([user], undefined, { generate: 'no' }), Buffer.from('x')])
      expect((await ask(frame))[0]).toMatchObject({ type: 'error', status: 400 });
  });
});
