import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createUserMessage } from '../../../src/content/content.ts';
import type { AnswerPart, AnswerRequest } from '../../../src/providers/chat-model.ts';
import { modelProviderOf } from '../../../src/providers/index.ts';
import { ClientThread } from '../../../src/providers/offloaded/client-thread.ts';
import { offloadedProvider } from '../../../src/providers/offloaded/offloaded-provider.ts';
import { VENDORS } from '../../../src/providers/vendors.ts';
import { Loopback, plain, silentStream, stream } from '../loopback.ts';
import { WIRES } from '../wires.ts';

const KEY = 'key-of-these-tests-0123456789';
const REQUEST = { instructions: 'Be brief.', input: 'What was said?', maxOutputTokens: 200 };
const TALK = {
  instructions: 'Be brief.',
  history: [createUserMessage('What is in a.ts?')],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: {} },
      prepare: () => 'what no message can hold',
    },
  ],
};
/** Some vendors give calls no ids, so that the client makes them up. */
const withoutMadeUpIds = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome), (key, value: unknown) => (key === 'id' ? '' : value));
const thread = new ClientThread(new URL('../../../dist/workers/client.js', import.meta.url));
const server = new Loopback();
let origin: string;
beforeAll(async () => {
  origin = await server.start();
});
afterAll(() => server.stop());
afterEach(() => vi.unstubAllGlobals());

const setupOf = (vendor: string) => {
  const isVersioned = vendor.startsWith('openai');
  const baseUrl = isVersioned ? `${origin}/v1` : origin;
  return { vendor, model: 'test-model', baseUrl, apiKey: KEY, idleMs: 60_000 };
};
const answer = stream(WIRES['anthropic']!.events({ texts: ['It was ', 'said.'], ending: 'stop' }));

describe('the thread of clients', () => {
  test.each(VENDORS.map(({ name }) => name))('%s: gives what the provider gives on this thread', async (vendor) => {
    const wire = WIRES[vendor]!;
    server.willAnswer(stream(wire.events({ texts: ['It was ', 'said.'], ending: 'stop' })));
    const here = await modelProviderOf(setupOf(vendor)).summarize(REQUEST);
    expect(here).toMatchObject({ kind: 'summary', text: 'It was said.' });
    expect(await thread.summarize(setupOf(vendor), REQUEST)).toEqual(here);
    const [first, second] = server.requests;
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers[wire.keyHeader[0]]).toBe(wire.keyHeader[1] + KEY);
  });

  test.each(VENDORS.map(({ name }) => name))('%s: chats as on this thread, part by part', async (vendor) => {
    const wire = WIRES[vendor]!;
    const calling = wire.callEvents({ text: 'Look:', id: 'call_1', name: 'read_file', input: { file_path: 'a.ts' } });
    server.willAnswer(stream(calling));
    const parts: { readonly here: AnswerPart[]; readonly there: AnswerPart[] } = { here: [], there: [] };
    const asking = (list: AnswerPart[]): AnswerRequest => ({ ...TALK, onPart: (part) => list.push(part) });
    const here = await modelProviderOf(setupOf(vendor)).answer(asking(parts.here));
    const there = await thread.answer(setupOf(vendor), asking(parts.there));
    expect(withoutMadeUpIds(there)).toEqual(withoutMadeUpIds(here));
    expect(here).toMatchObject({ kind: 'answer', isTruncated: false });
    expect(parts.there).toEqual(parts.here);
    expect(parts.here.map(({ kind }) => kind)).toEqual(['text', 'call']);
    const [first, second] = server.requests;
    expect(second?.body).toEqual(first?.body);
  });

  test('failures are values there too, without the key', async () => {
    const body = WIRES['anthropic']!.errorBody(`Slow down, ${KEY}.`, 'rate_limit_error');
    server.willAnswer(plain(429, body, { 'retry-after': '7' }));
    const outcome = await thread.summarize(setupOf('anthropic'), REQUEST);
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'transient', retryAfterMs: 7_000 });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  test('an abort takes effect at once, here and by the vendor', async () => {
    server.willAnswer(silentStream([]));
    const controller = new AbortController();
    const asking = thread.summarize(setupOf('anthropic'), { ...REQUEST, signal: controller.signal });
    await expect.poll(() => server.requests).toHaveLength(1);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(asking).rejects.toBe(reason);
    await server.clientLeft;
    server.willAnswer(answer);
    expect(await thread.summarize(setupOf('anthropic'), REQUEST)).toMatchObject({ text: 'It was said.' });
  });

  test('concurrent calls do not wait for each other', async () => {
    server.willAnswer(silentStream([]), answer);
    const controller = new AbortController();
    const slow = thread.summarize(setupOf('anthropic'), { ...REQUEST, signal: controller.signal });
    await expect.poll(() => server.requests).toHaveLength(1);
    expect(await thread.summarize(setupOf('anthropic'), REQUEST)).toMatchObject({ text: 'It was said.' });
    controller.abort();
    await expect(slow).rejects.toThrow();
  });

  test.each(['missing.mjs', 'syntax-error.mjs', 'fails-to-load.mjs'])(
    'returns nothing, repeatedly, if its file is %s',
    async (file) => {
      const bad = new ClientThread(new URL(`../../fixtures/bad-workers/${file}`, import.meta.url));
      expect(await bad.summarize(setupOf('anthropic'), REQUEST)).toBeUndefined();
      expect(await bad.summarize(setupOf('anthropic'), REQUEST)).toBeUndefined();
    },
  );

  test('a thread that is lost between two answers is replaced', async () => {
    const mortal = new ClientThread(new URL('../../fixtures/mortal-client.mjs', import.meta.url));
    const ask = (input: string) => mortal.summarize(setupOf('anthropic'), { ...REQUEST, input });
    expect(await ask('Are you there?')).toMatchObject({ text: 'Are you there?' });
    expect(await Promise.all([ask('die'), ask('behind it')])).toEqual([undefined, undefined]);
    expect(await ask('And now?')).toMatchObject({ text: 'And now?' });
  });

  test('an answer whose thread is lost half-way is not requested again', async () => {
    const mortal = new ClientThread(new URL('../../fixtures/mortal-client.mjs', import.meta.url));
    const parts: AnswerPart[] = [];
    const ask = (input: string) => mortal.summarize(setupOf('anthropic'), { ...REQUEST, input });
    const onPart = (part: AnswerPart): void => {
      parts.push(part);
      void ask('die');
    };
    const outcome = await mortal.answer(setupOf('anthropic'), { ...TALK, onPart });
    expect(parts).toEqual([{ kind: 'text', text: 'It was' }]);
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'transient' });
  });

  test('what it cannot send is sent on this thread', async () => {
    server.willAnswer(answer);
    expect(await thread.summarize({ ...setupOf('anthropic'), vendor: 'nobody' }, REQUEST)).toBeUndefined();
  });
});

describe('a provider on a thread', () => {
  test('without a thread, this one sends the requests', async () => {
    server.willAnswer(answer);
    const provider = offloadedProvider(modelProviderOf(setupOf('anthropic')));
    expect(await provider.summarize(REQUEST)).toMatchObject({ kind: 'summary', text: 'It was said.' });
  });

  test('a replacement for `fetch` sees every request', async () => {
    server.willAnswer(answer);
    const seen: string[] = [];
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
      seen.push(String(input));
      return fetch(input, init);
    });
    await offloadedProvider(modelProviderOf(setupOf('anthropic'))).summarize(REQUEST);
    expect(seen).toEqual([`${origin}/v1/messages`]);
  });
});
