import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { prunedFetch } from '../../src/adapters/fetch.ts';
import { UpstreamServer } from '../proxy/upstream-server.ts';
import { stillClock } from '../still-clock.ts';

const upstream = new UpstreamServer();
let base: string;
beforeAll(async () => {
  base = (await upstream.start()).origin;
});
afterAll(() => upstream.stop());
stillClock();

const URL_OF_MESSAGES = 'https://api.example/v1/messages';
const text = Array.from({ length: 160 }, (_, line) => `line ${line} of the file`).join('\n');
const read = (id: string): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: '/a.ts' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
];
/** A file is read twice: the second result becomes a marker. */
const BODY = {
  model: 'claude-haiku-4-5',
  tools: [{ name: 'read' }],
  messages: [{ role: 'user', content: 'start' }, ...read('t1'), ...read('t2')],
};
const PRUNED = '⟦density: 160 lines as shown above by read /a.ts, from "line 0 of the file" #pj7si8⟧';
const asText = JSON.stringify(BODY);

type Sent = Parameters<typeof fetch>;
/** A `fetch` that answers with these statuses, the last one for ever, and keeps what it was given. */
function recorder(...statuses: number[]): { sent: Sent[]; send: typeof fetch } {
  const sent: Sent[] = [];
  const send: typeof fetch = async (...given) => {
    sent.push(given);
    return new Response('{}', { status: statuses.length > 1 ? statuses.shift()! : (statuses[0] ?? 200) });
  };
  return { sent, send };
}
const post = (body: unknown, rest: object = {}): RequestInit => ({ method: 'POST', body, ...rest }) as RequestInit;
const bodyOf = ([, init]: Sent): string => Buffer.from(init?.body as string).toString();

describe('a request', () => {
  test.each([
    ['a text', asText],
    ['bytes', new TextEncoder().encode(asText)],
  ])('whose body is %s is pruned, without its old length and with all else', async (_, body) => {
    const { sent, send } = recorder();
    const { signal } = new AbortController();
    const headers = { 'Content-Length': '1', 'X-Mine': 'kept' };
    await prunedFetch({ fetch: send })(URL_OF_MESSAGES, post(body, { headers, signal, redirect: 'manual' }));
    const [[url, init]] = sent as [Sent];
    expect(url).toBe(URL_OF_MESSAGES);
    const messages = structuredClone(BODY.messages) as { content: { content: string }[] }[];
    messages.at(-1)!.content[0]!.content = PRUNED;
    expect(bodyOf(sent[0]!)).toBe(JSON.stringify({ ...BODY, messages }));
    expect([...new Headers(init!.headers)]).toEqual([['x-mine', 'kept']]);
    expect(init).toMatchObject({ method: 'POST', signal, redirect: 'manual' });
  });

  test.each<[string, Sent]>([
    ['is no POST', [URL_OF_MESSAGES, { method: 'PUT', body: asText }]],
    ['goes elsewhere', ['https://api.example/v1/files', post(asText)]],
    ['has a stream as its body', [URL_OF_MESSAGES, post(new Blob([asText]).stream(), { duplex: 'half' })]],
    ['has an encoding', [URL_OF_MESSAGES, post(asText, { headers: { 'content-encoding': 'gzip' } })]],
    ['is not understood', [URL_OF_MESSAGES, post(`${asText}}`)]],
    ['has a wrong header', [URL_OF_MESSAGES, post(asText, { headers: { 'not a name': '1' } })]],
    ['has no valid address', ['/v1/messages', post(asText)]],
    ['is a Request', [new Request(URL_OF_MESSAGES, post(asText))]],
    ['has nothing to prune', [URL_OF_MESSAGES, post(JSON.stringify({ ...BODY, messages: BODY.messages.slice(0, 3) }))]],
  ])('that %s goes through as the same objects', async (_, given) => {
    const { sent, send } = recorder();
    await prunedFetch({ fetch: send })(...given);
    expect(sent.length).toBe(1);
    expect(sent[0]![0]).toBe(given[0]);
    expect(sent[0]![1]).toBe(given[1]);
  });

  test('is sent again with the same bytes when it is tried again', async () => {
    const { sent, send } = recorder();
    const pruned = prunedFetch({ fetch: send });
    for (const _ of [1, 2, 3]) await pruned(URL_OF_MESSAGES, post(asText));
    expect(new Set(sent.map(bodyOf)).size).toBe(1);
    expect(bodyOf(sent[0]!)).toContain(JSON.stringify(PRUNED));
  });

  test('that is refused with its changes is sent without them, and they are not made again', async () => {
    const { sent, send } = recorder(400, 200);
    const pruned = prunedFetch({ fetch: send });
    expect((await pruned(URL_OF_MESSAGES, post(asText))).status).toBe(200);
    await pruned(URL_OF_MESSAGES, post(asText));
    expect(sent.map((one) => bodyOf(one).includes(JSON.stringify(PRUNED)))).toEqual([true, false, false]);
  });

  test('is sent as it was when pruning takes too long, and pruned when a report fails', async () => {
    const { sent, send } = recorder();
    const asked = vi.fn(() => new Promise<never>(() => {}));
    const sending = prunedFetch({ fetch: send, store: { load: asked, append: async () => 0 } })(
      URL_OF_MESSAGES,
      post(asText),
    );
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await sending;
    const onReport = (): never => {
      throw new Error('not ours');
    };
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await prunedFetch({ fetch: send, onReport })(URL_OF_MESSAGES, post(asText));
    await prunedFetch({ fetch: send })(URL_OF_MESSAGES, post(asText));
    const [late, reported, pruned] = sent.map(bodyOf);
    expect([late, reported]).toEqual([asText, pruned]);
    expect(pruned).not.toBe(asText);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  test('whose history the server keeps goes through with one warning', async () => {
    const { sent, send } = recorder();
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const pruned = prunedFetch({ fetch: send });
    const thread = JSON.stringify({ ...BODY, thread: { type: 'create' } });
    for (const _ of [1, 2]) await pruned(URL_OF_MESSAGES, post(thread));
    expect(sent.map(bodyOf)).toEqual([thread, thread]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});

describe('the SDKs', () => {
  /** What is thrown, as their users see it. */
  const thrownBy = async (call: () => Promise<unknown>): Promise<unknown> => {
    const error = await call().then(
      () => new Error('nothing thrown'),
      (one: Error) => one,
    );
    const { name, message } = error;
    return { name, message, kind: error.constructor.name, status: (error as { status?: number }).status };
  };
  const BOTH = [undefined, prunedFetch()];

  test.each([400, 401, 429, 500, 529])('throw the same for a status of %i', async (status) => {
    upstream.answer = (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'some_error', message: 'In its own words.' } }));
    };
    const thrown = [];
    for (const one of BOTH) {
      const given = { apiKey: 'k', maxRetries: 0, ...(one && { fetch: one }) };
      const anthropic = new Anthropic({ ...given, baseURL: base });
      const openai = new OpenAI({ ...given, baseURL: `${base}/v1` });
      const { model, messages, tools } = BODY as unknown as Anthropic.MessageCreateParamsNonStreaming;
      thrown.push([
        await thrownBy(() => anthropic.messages.create({ model, messages, tools: tools!, max_tokens: 1 })),
        await thrownBy(() => openai.chat.completions.create({ model: 'gpt-5', messages: [] })),
      ]);
    }
    expect(thrown[1]).toEqual(thrown[0]);
    expect(thrown[0]).toMatchObject([{ status }, { status }]);
  });

  test('throw the same when nobody listens, and when the answer is aborted, although no time passes', async () => {
    let abort = (): void => {};
    upstream.answer = () => abort();
    const thrown = [];
    for (const one of BOTH) {
      const given = { apiKey: 'k', maxRetries: 0, ...(one && { fetch: one }) };
      const params = { ...(BODY as unknown as Anthropic.MessageCreateParamsNonStreaming), max_tokens: 1 };
      const nobody = new Anthropic({ ...given, baseURL: 'http://127.0.0.1:9' });
      const waiting = new Anthropic({ ...given, baseURL: base });
      const controller = new AbortController();
      abort = () => controller.abort();
      thrown.push([
        await thrownBy(() => nobody.messages.create(params)),
        await thrownBy(() => waiting.messages.create(params, { signal: controller.signal })),
        await thrownBy(() => waiting.messages.create(params, { signal: AbortSignal.abort() })),
      ]);
    }
    expect(thrown[1]).toEqual(thrown[0]);
  });
});
