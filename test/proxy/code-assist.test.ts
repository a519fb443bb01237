import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { codeAssistRequest } from '../../src/live/exchange/code-assist.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import type { ProviderRequest } from '../../src/strict-provider/contract.ts';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const TEXT = Array.from({ length: 400 }, (_, at) => `const value${at} = ${at};`).join('\n');
const PATH = '/v1internal:streamGenerateContent?alt=sse';

interface Content {
  readonly role: string;
  readonly parts: readonly object[];
}

test('a login of Gemini CLI is pruned too: the inner request shrinks, and every other byte is the same', async () => {
  const received: ProviderRequest[] = [];
  const calls: ProxiedCall[] = [];
  const read = { name: 'read_file', input: { absolute_path: '/w/a.ts' } };
  const server = providerServer(new StrictProvider(), {
    now: () => 0,
    script: [{ calls: [read] }, { calls: [read] }],
    onRequest: (request) => received.push(request),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const change = liveChanges({
    workspaceRoot: '/w',
    store: memoryStore(),
    archive: async () => {},
  });
  const proxy = await startProxy({ mounts: [{ path: '', upstream }], change, onCall: (call) => calls.push(call) });
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Please look.' }] }];
  const tools = [{ functionDeclarations: [{ name: 'read_file' }] }];
  const sent: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const request = { contents, tools, session_id: 's' };
    const body = JSON.stringify({ model: 'gemini-3.1-pro-preview', project: 'p', user_prompt_id: `u${turn}`, request });
    sent.push(body);
    const answer = await fetch(`${proxy.url}${PATH}`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    const [event = ''] = (await answer.text()).split('\n\n');
    const { response } = JSON.parse(event.replace(/^data: /, '')) as {
      response: { candidates: { content: Content }[] };
    };
    contents.push(response.candidates[0]!.content);
    contents.push({ role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: TEXT } } }] });
  }
  await proxy.close();
  server.close();
  expect(calls.map(({ status, isResent }) => [status, isResent])).toEqual(Array(3).fill([200, false]));
  expect(calls.map(({ report }) => report?.projected)).toEqual([0, 0, 1]);
  expect(calls.map(({ model, usage }) => [model, (usage?.promptTokens ?? 0) > 0])).toEqual(
    Array(3).fill(['gemini-3.1-pro-preview', true]),
  );
  const inner = JSON.stringify((received[2] as ProviderRequest).body);
  expect(inner.length).toBeLessThan(sent[2]!.length - TEXT.length / 2);
  expect(inner).toContain('⟦density: 400 lines as shown above by read_file ');
  // The part around the changed text is what the agent wrote.
  const [start = ''] = inner.split('⟦density: ');
  expect(sent[2]).toContain(start);
});

test('a count has its model in the inner request', () => {
  const found = codeAssistRequest(Buffer.from('{"request":{"model":"models/gemini-3-pro","contents":[]}}'));
  expect(found).toMatchObject({ model: 'gemini-3-pro' });
  expect(found?.whole(Buffer.from('{}')).toString()).toBe('{"request":{}}');
});

test.each(['', '[]', '{}', '{"request":7}', '{"request":{},"request":{}}', '{"request":"'])(
  'a body without one inner request (%s) is none of ours',
  (body) => {
    expect(codeAssistRequest(Buffer.from(body))).toBeUndefined();
  },
);
