import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { stateOf, workedCalls } from './live-states.ts';
import { open, type Served, served } from './served-page.ts';

async function ask(
  { proxy }: Served,
  asked: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const request = httpRequest({ host: '127.0.0.1', port: proxy.port, path: asked, method, headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

/** Reads events until one fits. */
async function eventsUntil(at: Served, fits: (text: string) => boolean, headers = {}): Promise<string> {
  const request = httpRequest({ host: '127.0.0.1', port: at.proxy.port, path: '/page-token/events', headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (fits(text)) break;
  }
  request.destroy();
  return text;
}

describe('the page of a proxy', () => {
  test('is whole without script, below a token of its own, for this computer alone', async () => {
    const at = await served();
    const { status, headers, body } = await ask(at, '/page-token/');
    expect(status).toBe(200);
    for (const words of [
      'Conversations',
      'What was removed',
      'Net money by cause',
      'What the money was spent on',
      'Regrets',
    ])
      expect(body).toContain(words);
    expect(body.split('off: nothing new is changed')).toHaveLength(2);
    expect(body).toContain('conversation 99aa00bb, off: nothing new is changed');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^;]+'; style-src 'sha256-/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const refused = [
      ask(at, '/page-token/', { headers: { host: `evil.example:${at.proxy.port}` } }),
      ask(at, '/page-token/events', { headers: { origin: 'http://evil.example' } }),
      ask(at, '/page-token/', { method: 'POST' }),
      ask(at, '/page-tokem/'),
      ask(at, '/page-token/../page-token/'),
      ask(at, '/page-token/v1/messages'),
    ];
    expect((await Promise.all(refused)).map((one) => one.status)).toEqual([403, 403, 405, 404, 400, 404]);
    // The agent's token opens nothing of the page, and the page's token nothing of the provider.
    const agent = new URL(at.proxy.url).pathname;
    expect((await ask(at, `${agent}/`)).status).toBe(502);
    expect((await ask(at, '/page-token/')).body).not.toContain(agent.slice(1));
  });

  test('shows names as text, whatever they contain', async () => {
    const { body } = await ask(await served(), '/page-token/');
    expect(body).toContain('&lt;img src=x onerror=');
    for (const part of ['<img', '</details></script>', '\u001b', '\u202e']) expect(body).not.toContain(part);
  });

  test('gives the text of a row that it lists, and of no other', async () => {
    const at = await served();
    const [listed, unlisted, gone] = await Promise.all(
      ['abcdef000000', 'abcdef099999', 'abcdef100000'].map((hash) => ask(at, `/page-token/text/${hash}`)),
    );
    expect(listed!.body).toContain('&lt;b&gt;old text&lt;/b&gt;');
    expect([listed!.status, unlisted!.status, gone!.status]).toEqual([200, 404, 404]);
    at.isArchiveDown = true;
    expect((await ask(at, '/page-token/text/abcdef000000')).status).toBe(503);
  });

  test('sends the whole state to a new reader, then what differs, and nothing to one that has all', async () => {
    const at = await served(stateOf([]));
    const first = await eventsUntil(at, (text) => text.endsWith('\n\n'));
    expect(Object.keys(JSON.parse(/^data: (.*)$/m.exec(first)![1]!) as object)).toHaveLength(7);
    await expect.poll(() => at.page.readers).toBe(0);
    const [, id] = /^id: (.*)$/m.exec(first)!;
    const again = eventsUntil(at, (text) => text.includes('event: parts'), { 'last-event-id': id! });
    await expect.poll(() => at.page.readers).toBe(1);
    at.state = stateOf(workedCalls().slice(0, 3));
    at.page.changed();
    const text = await again;
    await expect.poll(() => at.page.readers).toBe(0);
    expect(text).toContain(': nothing new');
    expect(Object.keys(JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as object)).toEqual(
      expect.arrayContaining(['summary', 'conversations']),
    );
    const end = eventsUntil(at, (all) => all.includes('event: end'));
    await expect.poll(() => at.page.readers).toBe(1);
    await open.pop()!.close();
    expect(await end).toContain('event: end');
  });
});
