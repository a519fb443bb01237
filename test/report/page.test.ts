import { describe, expect, test } from 'vitest';
import { reportPage } from '../../src/report/page.ts';
import type { SessionReport } from '../../src/report/session-report.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { fileText, SessionBuilder } from '../replay/sessions.ts';
import { reportOf } from './reports.ts';

/** Joined here, so that secret scanners ignore this file. */
const KEY = ['sk-', 'ant-api03-', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5'].join('');

/** A stale read of a file and a command; both contain `text`. */
function sessionWith(text: string): SessionBuilder {
  const builder = new SessionBuilder();
  builder.human('Rename it.');
  builder.tool('read_file', { absolute_path: '/project/a.ts' }, text);
  builder.tool('write_file', { file_path: '/project/a.ts', content: 'x' }, 'ok');
  builder.ai('Renamed.');
  return builder;
}

const reports = new Map<string, Promise<SessionReport>>();
/** The report of the example, made once for each of these options. */
function exampleReport(options: Parameters<typeof reportOf>[1] = {}): Promise<SessionReport> {
  const name = JSON.stringify(options);
  const made = reports.get(name) ?? reportOf(exampleSession(), options);
  reports.set(name, made);
  return made;
}

const countOf = (page: string, pattern: RegExp): number => [...page.matchAll(pattern)].length;

describe('the page of a report', () => {
  test('shows the bill not pruned and pruned, by part and cause, and none where no price is known', async () => {
    const report = await exampleReport();
    const { worth } = report.chosen;
    const page = reportPage(report);
    expect(worth!.priceMatch).toBe('exact');
    expect(page).toContain(
      `$${worth!.dollars.toFixed(2)} with high-density instead of $${worth!.dollarsRaw.toFixed(2)}`,
    );
    expect(page).toMatch(/<td data-name="bill before">\$\d/);
    expect(page).toContain(`${worth!.regrettedEdits} of ${worth!.evidencedEdits} edits needed it`);
    const unknown = { ...report.chosen, worth: { ...worth!, priceMatch: 'unknown' as const } };
    expect(reportPage({ ...report, chosen: unknown })).toContain('No price is known for the model');
  });

  test('says where a provider counted the tokens, as every command does', async () => {
    const report = await exampleReport();
    const { result } = report.chosen;
    const counting = (isReported: boolean, exactly?: { readonly isDerived?: true }): string | undefined => {
      const tokenizer = exactly ? 'o200k' : 'claude';
      const { tokens, unrecordedTokens } = result.context;
      const context = { tokens, unrecordedTokens, isReported, ...exactly };
      const chosen = { ...report.chosen, result: { ...result, tokenizer, context } } as const;
      return /tokens (counted by the provider|counted exactly|estimated)/.exec(reportPage({ ...report, chosen }))?.[1];
    };
    expect([counting(true), counting(false)]).toEqual(['counted by the provider', 'estimated']);
    expect([counting(false, {}), counting(false, { isDerived: true })]).toEqual(['counted exactly', 'estimated']);
  });

  test('says that a text counts for each rule where two rules changed it in one step', async () => {
    const report = await exampleReport();
    const { result } = report.chosen;
    const sentence = 'A text that two rules changed in one step is one row, and counts for each rule here.';
    const { ledger } = report;
    const changes = Object.values(result.removed).reduce((sum, count) => sum + count, 0);
    expect(reportPage(report).includes(sentence)).toBe(changes > ledger.pieces);
    const withPieces = (pieces: number) => reportPage({ ...report, ledger: { ...ledger, pieces } });
    expect([withPieces(changes), withPieces(changes - 1)].map((page) => page.includes(sentence))).toEqual([
      false,
      true,
    ]);
  });

  test('has its five sections', async () => {
    const page = reportPage(await exampleReport({ settings: { 'context-limit': 40_000 } }));
    expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual([
      'Context over model calls',
      'The bill',
      'What fills the context',
      'What was removed',
      'Stalls of the main thread',
    ]);
    for (const strategy of ['none', 'top-down-truncation', 'high-density']) {
      expect(page).toContain(`<title>${strategy}</title></path>`);
    }
    for (const label of ['window 40k', 'threshold 34k (85%)']) expect(page.includes(label)).toBe(true);
    expect(page.replaceAll('<wbr>', '').includes('src/</span>validation.ts')).toBe(true);
    expect(page).toMatch(/<summary><span class="badge">stale read<\/span>/);
    expect(page).toContain('was written later by replace in call');
  });

  test('draws a symbol at each compression, in the shape of its strategy', async () => {
    const report = await exampleReport({ settings: { 'context-limit': 40_000 } });
    const compressions = report.played.reduce((sum, { result }) => sum + result.compressions, 0);
    expect(compressions).toBeGreaterThan(1);
    expect(countOf(reportPage(report), /class="symbol"/g)).toBe(compressions);
  });

  test('says where a curve leaves the chart if the window is much too small', async () => {
    const page = reportPage(await exampleReport({ settings: { 'context-limit': 20_000 } }));
    expect(page).toMatch(/none leaves the chart at call \d+ and reaches \d/);
  });

  test('places the name of the window where no curve crosses it', async () => {
    const labelOf = async (contextLimit: number): Promise<string> => {
      const settings = { 'context-limit': contextLimit, 'compression-threshold': 0.5 };
      const page = reportPage(await exampleReport({ settings }));
      return /class="level limit( right)?"/.exec(page)?.[1] ?? ' left';
    };
    expect([await labelOf(200_000), await labelOf(9_000)]).toEqual([' left', ' right']);
  });

  test('names a window far above the chart, so that the curves are visible', async () => {
    const page = reportPage(await exampleReport({ settings: { 'context-limit': 1_000_000 } }));
    expect(page).toContain('↑ window 1M · threshold 850k (85%)');
    expect(page).not.toMatch(/<path class="(limit|threshold)" d="M0 0H1000"/);
  });

  test('needs no script and loads nothing', async () => {
    const page = reportPage(await exampleReport());
    expect(page).not.toMatch(/<script|<link(?! rel="icon" href="data:,">)|<img|@import|url\(|\son\w+=/);
    expect(page).toContain("default-src 'none'");
  });

  test('shows the most frequent kinds of notices and folds the others', async () => {
    const report = await reportOf(sessionWith('Begin.').session());
    const notices = ['one', 'two', 'three', 'four', 'five'].map((word) => `The ${word} thing happened.`);
    const result = { ...report.chosen.result, notices: [...notices, 'The five thing happened.'] };
    const page = reportPage({ ...report, chosen: { ...report.chosen, result } });
    const [open = '', folded = ''] = page.split('<summary>2 other kinds of notices</summary>');
    expect(open).toContain('The five thing happened. (and 1 notice like it)');
    expect(folded).toContain('The three thing happened.');
    expect(folded).toContain('The four thing happened.');
  });

  test('shows the text of a session and executes none of it', async () => {
    const hostile = '</pre></style></title><script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp;';
    const builder = sessionWith(hostile.repeat(3));
    builder.tool(hostile, { [hostile]: hostile, path: hostile }, hostile);
    builder.ai(hostile);
    const report = { ...(await reportOf(builder.session({ workspaceRoot: '/project' }))), title: hostile };
    const page = reportPage(report);
    expect(page).not.toMatch(/<script|<img/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    // The page, a curve for each strategy, and the two of the bill.
    expect(countOf(page, /<\/title>/g)).toBe(1 + report.played.length + 2);
  });

  test('hides secrets and says how many, unless told not to', async () => {
    const builder = sessionWith(`${KEY}\n${fileText('a', 20)}\npassword = "correct-horse"`);
    builder.ai('Done.');
    const page = reportPage(await reportOf(builder.session()));
    expect(page).not.toContain(KEY.slice(0, 20));
    expect(page).not.toContain('correct-horse');
    expect(page).toMatch(/2 keys, tokens and passwords of known shapes were hidden\./);
    const open = reportPage(await reportOf(builder.session(), { isRedacted: false }));
    expect(open).toContain(KEY);
    expect(open).toContain('Nothing was hidden: keys, tokens and passwords are shown as recorded.');
  });

  test('shows no start of a key in the cut name of a command', async () => {
    for (let before = 80; before < 118; before += 3) {
      const builder = new SessionBuilder();
      builder.human('Go.');
      for (const run of [1, 2]) {
        builder.tool(
          'run_shell_command',
          { command: `${'x '.repeat(before / 2)}${KEY} ${run}` },
          fileText(`run${run}`, 9),
        );
      }
      builder.ai('Done.');
      const settings = { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 1 };
      const page = reportPage(await reportOf(builder.session(), { settings }));
      expect(page).toContain('older result');
      expect(page.replaceAll('<wbr>', '')).not.toContain(KEY.slice(0, 10));
    }
  });

  test('does not change texts that end in dots', async () => {
    expect(reportPage(await reportOf(sessionWith('to be continued… and so on').session()))).toContain('continued… and');
  });

  test('cuts long texts between words, so that no part of a secret remains, and says how much is missing', async () => {
    for (let before = 2_360; before < 2_420; before += 7) {
      const page = reportPage(
        await reportOf(sessionWith(`${'word '.repeat(before / 5)}${KEY} ${'more '.repeat(900)}`).session()),
      );
      expect(page).not.toContain(KEY.slice(0, 12));
      expect(page).toMatch(/[\d,]+ more characters not shown/);
    }
  });

  test('lists the largest of many removed texts and counts the others', async () => {
    const report = await exampleReport({ rowsAtMost: 10 });
    const page = reportPage(report);
    expect(countOf(page, /class="piece"/g)).toBe(10);
    expect(page).toContain(`The 10 largest are listed, ${report.ledger.pieces - 10} smaller ones are not.`);
  });

  test('says if nothing was removed, and works for a session of one call', async () => {
    const builder = new SessionBuilder();
    builder.human('Hello.');
    builder.ai('Hello.');
    const page = reportPage(await reportOf(builder.session()));
    expect(page).toContain('Nothing: high-density found nothing stale or repeated');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('works for a session without any model call', async () => {
    const builder = new SessionBuilder();
    builder.human('Hello.');
    expect(reportPage(await reportOf(builder.session()))).not.toMatch(/NaN|Infinity|undefined/);
  });
});
