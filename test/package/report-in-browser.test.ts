import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparisonPage } from '../../src/report/comparison-page.ts';
import { reportPage } from '../../src/report/page.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { SessionBuilder } from '../replay/sessions.ts';
import { comparisonOf } from '../report/comparisons.ts';
import { reportOf } from '../report/reports.ts';
import { chromiumPath } from './browser.ts';

/** Finds what overlaps, is clipped or sticks out, from bounding boxes. */
const LAYOUT = readFileSync(path.resolve(import.meta.dirname, '../fixtures/page-layout.mjs'), 'utf8');

/** Finds texts with too little contrast. */
const CONTRAST = readFileSync(path.resolve(import.meta.dirname, '../fixtures/page-contrast.mjs'), 'utf8');

/** Names and texts that are hard to lay out: long, without blanks, wide, from right to left. */
function hardSession(): SessionBuilder {
  const builder = new SessionBuilder();
  builder.human('Begin.');
  for (const [index, name] of [
    `${'deeply/nested/'.repeat(12)}file-with-a-long-name.test.ts`,
    `${'x'.repeat(300)}.ts`,
    `${'設定'.repeat(60)}.ts`,
    `${'ملف'.repeat(40)}.ts`,
  ].entries()) {
    const file = `/project/${name}`;
    builder.tool('read_file', { absolute_path: file }, 'w'.repeat(3_000 + index));
    builder.tool('write_file', { file_path: file, content: 'x' }, 'ok');
    builder.tool(`mcp__${'a_server_with_a_long_name__'.repeat(6)}${index}`, { query: 'q' }, '0'.repeat(4_000));
  }
  builder.ai('Done.');
  return builder;
}

/** A session of this many model calls with a repeated result. */
function shortSession(turns: number): SessionBuilder {
  const builder = new SessionBuilder();
  builder.human('Begin.');
  for (let turn = 1; turn < turns; turn++) builder.tool('run_shell_command', { command: 'test' }, 'fine\n'.repeat(40));
  builder.ai('Done.');
  return builder;
}

const CASES: readonly (readonly [what: string, page: () => Promise<string>])[] = [
  ['the example', async () => reportPage(await reportOf(exampleSession()))],
  [
    'the example in a small window',
    async () => reportPage(await reportOf(exampleSession(), { settings: { 'context-limit': 40_000 } })),
  ],
  [
    'the example in a window that is far too small',
    async () => reportPage(await reportOf(exampleSession(), { settings: { 'context-limit': 9_000 } })),
  ],
  ...[1, 2, 5].map((turns): readonly [string, () => Promise<string>] => [
    `a session of ${turns} calls`,
    async () => reportPage(await reportOf(shortSession(turns).session())),
  ]),
  ['five policies', async () => comparisonPage(comparisonOf(5))],
  ['twenty-five policies', async () => comparisonPage(comparisonOf(25))],
  ['a session of hard names and texts', async () => reportPage(await reportOf(hardSession().session()))],
];

describe.skipIf(chromiumPath === undefined)('a report in a browser', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'density-report-'));
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page and records its requests, logs and errors. */
  async function opened(html: string, view: { width: number; colorScheme: 'light' | 'dark' }) {
    const file = path.join(folder, 'report.html');
    writeFileSync(file, html);
    const page = await browser.newPage({
      viewport: { width: view.width, height: 900 },
      colorScheme: view.colorScheme,
    });
    const said: string[] = [];
    page.on('console', (message) => said.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.message}`));
    page.on('request', (request) => said.push(`request: ${request.url().slice(0, 100)}`));
    await page.goto(`file://${file}`);
    return { page, said: said.filter((line) => line !== `request: file://${file}`) };
  }

  const contrastOf = (page: Page): Promise<{ problems: string[]; texts: number }> => page.evaluate(CONTRAST);
  const layoutOf = (page: Page): Promise<{ problems: string[]; boxes: number }> => page.evaluate(LAYOUT);

  describe.each(CASES)('of %s', (_what, make) => {
    let html = '';
    beforeAll(async () => {
      html = await make();
    });

    test.each([400, 1400])(
      'at %i pixels overlaps nothing, clips nothing, is easy to read in both schemes, complains of nothing, asks for nothing',
      async (width) => {
        const { page, said } = await opened(html, { width, colorScheme: 'light' });
        expect(said).toEqual([]);
        const closed = await layoutOf(page);
        expect(closed.problems).toEqual([]);
        await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
        const open = await layoutOf(page);
        expect(open.problems).toEqual([]);
        expect(open.boxes > closed.boxes).toBe(html.includes('<details'));
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const contrast = await contrastOf(page);
          expect(contrast.problems).toEqual([]);
          expect(contrast.texts).toBeGreaterThan(20);
        }
        await page.close();
      },
    );
  });

  test('is checked with tools that find planted faults', async () => {
    const { page } = await opened(reportPage(await reportOf(exampleSession())), { width: 1400, colorScheme: 'light' });
    await page.addStyleTag({
      content: 'h2{margin-bottom:-40px}.amount{color:#999}.facts{width:2000px;white-space:nowrap}',
    });
    const layout = await layoutOf(page);
    const contrast = await contrastOf(page);
    expect(layout.problems.length).toBeGreaterThan(3);
    expect(contrast.problems.length).toBeGreaterThan(3);
    await page.close();
  });

  test('has dark colours on request, and light colours in print', async () => {
    const html = reportPage(await reportOf(exampleSession()));
    const background = 'getComputedStyle(document.body).backgroundColor';
    const { page: light } = await opened(html, { width: 1400, colorScheme: 'light' });
    const { page: dark } = await opened(html, { width: 1400, colorScheme: 'dark' });
    const colors = [await light.evaluate(background), await dark.evaluate(background)];
    expect(new Set(colors).size).toBe(2);
    // The width of a sheet of A4 between its margins.
    await dark.setViewportSize({ width: 690, height: 1000 });
    await dark.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await dark.evaluate(background)).toBe('rgb(255, 255, 255)');
    expect((await layoutOf(dark)).problems).toEqual([]);
    await light.close();
    await dark.close();
  });

  test('has a heading for each section and a description of each chart for screen readers', async () => {
    const { page } = await opened(reportPage(await reportOf(exampleSession())), { width: 1400, colorScheme: 'light' });
    const drawings = await page.getByRole('img').all();
    expect(drawings).toHaveLength(3);
    for (const drawing of drawings) {
      expect(await drawing.getAttribute('aria-label')).toMatch(/high-density|blocked|Dollars/);
    }
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(5);
    await page.close();
  });
});
