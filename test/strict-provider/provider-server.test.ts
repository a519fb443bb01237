import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerServer } from '../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';

const calls = [{ id: 'c1', name: 'read', input: { path: 'a' } }];
const server = providerServer(new StrictProvider(), {
  now: () => 0,
  script: Array.from({ length: 8 }, () => ({ thinking: 'hm', text: 'I read.', calls })),
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
});
afterAll(() => server.close());

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, { method: 'POST', body: text });
  return { status: response.status, text: await response.text() };
}

const BODIES: [string, string, object, string][] = [
  [
    'Messages',
    '/v1/messages?beta=true',
    { model: 'claude-opus-5-5', messages: [{ role: 'user', content: 'a' }] },
    'message_stop',
  ],
  ['Responses', '/v1/responses', { model: 'gpt-5.5', input: 'a' }, 'response.completed'],
  [
    'Chat Completions',
    '/v1/chat/completions',
    { model: 'gpt-5.5', messages: [{ role: 'user', content: 'a' }] },
    '[DONE]',
  ],
];

describe('the server', () => {
  test.each(BODIES)('answers %s whole and as a stream', async (_, path, body, end) => {
    const whole = await post(path, body);
    expect(whole.status).toBe(200);
    expect(whole.text).toContain('I read.');
    const stream = await post(path, { ...body, stream: true });
    expect(stream.text).toContain('I read.');
    expect(stream.text).toMatch(/path[\\": ]+a/);
    expect(stream.text.trimEnd().split('\n').at(-1)).toContain(end);
  });

  test('answers Gemini whole and as a stream', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'a' }] }] };
    const whole = await post('/v1beta/models/gemini-3.1-pro-preview:generateContent', body);
    const stream = await post('/v1beta/models/gemini-3.1-pro-preview:streamGenerateContent?alt=sse', body);
    expect(JSON.parse(whole.text)).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      modelVersion: 'gemini-3.1-pro-preview',
    });
    expect(stream.text.startsWith('data: {"candidates"')).toBe(true);
  });

  test('counts tokens, and says what is wrong in the form of the API', async () => {
    const counted = await post('/v1/messages/count_tokens', {
      model: 'claude-opus-5-5',
      messages: [{ role: 'user', content: 'a word' }],
    });
    expect(JSON.parse(counted.text).input_tokens).toBeGreaterThan(0);
    const refused = await post('/v1/messages', { model: 'claude-opus-5-5', messages: [] });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'messages: at least one message is required' },
    });
    expect((await post('/v1/messages', '{"cut')).status).toBe(400);
    expect((await post('/other', {})).status).toBe(404);
  });
});
