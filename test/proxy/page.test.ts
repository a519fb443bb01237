import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LiveState } from '../../src/proxy/page/live-state.ts';
import { PageServer } from '../../src/proxy/page/page-server.ts';
import { type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { chromiumPath } from '../report/browser.ts';
import { stateOf, workedCalls } from './live-states.ts';

const fixture = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, `../fixtures/${name}.mjs`), 'utf8');
const [LAYOUT, CONTRAST] = [fixture('page-layout'), fixture('page-contrast')];

const open: RunningProxy[] = [];
afterEach(async () => {
  for (const proxy of open.splice(0)) await proxy.close();
});

interface Served {
  readonly proxy: RunningProxy;
  readonly page: PageServer;
  state: LiveState;
  isArchiveDown: boolean;
}

async function served(state = stateOf(workedCalls()), port = 0): Promise<Served> {
  const shown: { state: LiveState; isArchiveDown: boolean } = { state, isArchiveDown: false };
  const page = new PageServer({
    token: 'page-token',
    state: () => shown.state,
    textOf: async (hash) => {
      if (shown.isArchiveDown) throw new Error('no answer');
      return hash.startsWith('abcdef0') ? `<b>old text</b> of ${hash}` : undefined;
    },
  });
  const proxy = await startProxy({ mounts: [{ path: '', upstream: new URL('http://127.0.0.1:9') }], port, page });
  open.push(proxy);
  return Object.assign(shown, { proxy, page });
}

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
    for (const words of ['Conversations', 'What was removed', 'Net money by cause', 'Cache misses', 'Regrets'])
      expect(body).toContain(words);
    expect(body.split('off: nothing new is changed')).toHaveLength(2);
    expect(body).toContain('conversation 99aa00bb, off: nothing new is changed');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^;]+'; style-src 'sha256-/,
    );
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      ...{ 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY', 'cache-control': 'no-store' },
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

describe.skipIf(chromiumPath === undefined)('the page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  async function opened(at: Served, options: Parameters<Browser['newPage']>[0] = {}) {
    const tab = await browser.newPage(options);
    const said: string[] = [];
    tab.on('console', (message) => said.push(message.text()));
    tab.on('pageerror', (error) => said.push(error.message));
    await tab.goto(at.proxy.pageUrl);
    return { tab, said };
  }
  const stateWords = (tab: Page): Promise<string | null> => tab.textContent('#connection');

  test.each([
    ['work', () => stateOf(workedCalls())],
    ['shadow', () => stateOf(workedCalls(true), { isShadow: true, troubles: ['the disk is full'] })],
    ['nothing yet', () => stateOf([])],
  ] as const)('%s: light and dark, wide and on a telephone, overlaps nothing and is easy to read', async (_, state) => {
    const at = await served(state());
    for (const width of [390, 1280]) {
      const { tab, said } = await opened(at, { viewport: { width, height: 900 }, colorScheme: 'light' });
      await tab.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
      const layout: { problems: string[] } = await tab.evaluate(LAYOUT);
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme });
        const contrast: { problems: string[] } = await tab.evaluate(CONTRAST);
        expect([width, colorScheme, layout.problems, contrast.problems, said]).toEqual([
          width,
          colorScheme,
          [],
          [],
          [],
        ]);
      }
      expect(await tab.evaluate('window.broken')).toBeUndefined();
      await tab.close();
    }
  });

  test('follows the proxy, keeps an opened row open, and says when it has ended', async () => {
    const at = await served(stateOf(workedCalls().slice(0, 20)));
    const { tab, said } = await opened(at);
    await expect.poll(() => stateWords(tab)).toBe('live');
    const row = tab.locator('details.piece').last();
    await row.locator('summary').click();
    const before = await tab.textContent('#summary');
    at.state = stateOf(workedCalls().slice(0, 30));
    at.page.changed();
    await expect.poll(() => tab.textContent('#summary')).not.toBe(before);
    expect(await tab.locator('details.piece').count()).toBe(3);
    expect(await tab.locator('details.piece').last().getAttribute('open')).toBe('');
    expect(await tab.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await open.pop()!.close();
    await expect.poll(() => stateWords(tab)).toContain('ended');
    expect(said).toEqual([]);
    await tab.close();
  });

  test('without a tidy end tries again, and shows the state of the proxy that it finds', async () => {
    const at = await served(stateOf([]));
    const { port } = at.proxy;
    const { tab } = await opened(at);
    await expect.poll(() => stateWords(tab)).toBe('live');
    at.page.end = () => {};
    await open.pop()!.close();
    await expect.poll(() => stateWords(tab)).toContain('not connected');
    await served(stateOf(workedCalls()), port);
    await expect.poll(() => stateWords(tab)).toBe('live');
    await expect.poll(() => tab.locator('details.piece').count()).toBeGreaterThan(3);
    await tab.close();
  });

  test('is readable without script, and says how to get newer numbers', async () => {
    const at = await served();
    const { tab } = await opened(at, { javaScriptEnabled: false });
    expect(await stateWords(tab)).toMatch(/^as of \d\d:\d\d:\d\d$/);
    expect(await tab.getByText('Load it again').isVisible()).toBe(true);
    await tab.locator('details.piece summary').first().click();
    await tab.getByText('The whole text').first().click();
    expect(await tab.locator('h1').count()).toBe(0);
    await tab.close();
  });
});
