import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateOf, workedCalls } from '../proxy/live-states.ts';
import { open, type Served, served } from '../proxy/served-page.ts';
import { chromiumPath } from './browser.ts';

const fixture = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, `../fixtures/${name}.mjs`), 'utf8');
const LAYOUT = fixture('page-layout');
const CONTRAST = fixture('page-contrast');

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
