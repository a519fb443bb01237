import { describe, expect, test } from 'vitest';
import type { Session } from '../../../src/formats/contract.ts';
import { highDensity } from '../../../src/formats/high-density/high-density.ts';
import { type LedgerRecord, type LedgerRow, RemovalLedger } from '../../../src/replay/ledger/ledger.ts';
import { TurnIndex } from '../../../src/replay/ledger/turn-index.ts';
import { removalsOf } from '../../../src/replay/result.ts';
import { exampleSession } from '../../../src/sessions/example-session.ts';
import type { EphemeralSettings } from '../../../src/settings/registry.ts';
import { fileText, replayed, SessionBuilder } from '../sessions.ts';

async function ledgerOf(
  session: Session,
  { settings = {}, rowsAtMost = 1000, strategy = 'high-density' }: LedgerCase = {},
) {
  const { vocabulary } = highDensity;
  const ledger = new RemovalLedger({ turns: await TurnIndex.of(session), vocabulary }, { rowsAtMost });
  const result = await replayed(session, strategy, { settings, ledger });
  return { record: ledger.record(), result };
}

interface LedgerCase {
  readonly settings?: EphemeralSettings;
  readonly rowsAtMost?: number;
  readonly strategy?: string;
}

const rowsOf = ({ steps }: LedgerRecord): LedgerRow[] => steps.flatMap(({ rows }) => rows);
const tokensOf = (rows: readonly LedgerRow[]): number => rows.reduce((sum, { tokens }) => sum + tokens, 0);

describe('the ledger of a replay', () => {
  test('names a stale read, the write that made it stale, and what it said', async () => {
    const builder = new SessionBuilder();
    builder.human('Rename it.');
    const text = fileText('before', 40);
    builder.tool('read_file', { absolute_path: '/project/a.ts' }, text);
    builder.tool('replace', { file_path: '/project/a.ts' }, 'not found', 'old_string not found');
    builder.tool('write_file', { file_path: '/project/a.ts', content: 'x' }, 'ok');
    builder.ai('Renamed.');
    const { record, result } = await ledgerOf(builder.session());
    expect(record).toMatchObject({ pieces: 1, unshown: 0, steps: [{ turn: 4, kind: 'optimized', unshown: 0 }] });
    expect(rowsOf(record)).toEqual([
      {
        rule: 'readWritePairs',
        saidIn: 1,
        what: 'read_file /project/a.ts',
        why: '/project/a.ts was written later by write_file in call 3',
        tokens: result.removedTokens.readWritePairs,
        text: `read_file {"absolute_path":"/project/a.ts"}\n\n${text}`,
        left: '',
      },
    ]);
  });

  test('names each result by its own call where all calls have one id', async () => {
    const builder = new SessionBuilder();
    builder.human('Test it.');
    for (const run of [1, 2, 3])
      builder.tool('run_shell_command', { command: `test ${run}` }, fileText(`run${run}`, 40));
    builder.ai('Tested.');
    const session = builder.session();
    const events = JSON.parse(JSON.stringify(session.events).replaceAll(/"call-\d"/g, '"0"'));
    const settings = { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 1 };
    const { record } = await ledgerOf({ ...session, events }, { settings });
    expect(rowsOf(record).map(({ what }) => what)).toEqual([1, 2].map((run) => `run_shell_command test ${run}`));
  });

  test('names the later read that shows the same, not a write that was there before the read', async () => {
    const builder = new SessionBuilder();
    builder.human('Look at it.');
    const text = fileText('the', 40);
    builder.tool('write_file', { file_path: '/project/a.ts', content: text }, 'ok');
    builder.tool('read_file', { absolute_path: '/project/a.ts' }, text);
    builder.tool('read_file', { absolute_path: '/project/a.ts' }, text);
    builder.ai('Seen.');
    const settings = { 'compression.density.supersededReads': true };
    const { record } = await ledgerOf(builder.session(), { settings });
    expect(rowsOf(record)).toMatchObject([
      {
        rule: 'readWritePairs',
        saidIn: 2,
        what: 'read_file /project/a.ts',
        why: '/project/a.ts is shown again later by read_file in call 3',
      },
    ]);
  });

  test('names a file that was attached again, with the text of the older copy alone', async () => {
    const builder = new SessionBuilder();
    const attached = (text: string): string => `--- src/a.ts ---\n${text}\n--- End of content ---`;
    builder.human(`Look at this.\n${attached('the old text')}`);
    builder.ai('I see.');
    builder.human(`And now?\n${attached('the new text')}`);
    builder.ai('Better.');
    const { record } = await ledgerOf(builder.session());
    expect(rowsOf(record)).toMatchObject([{ rule: 'fileInclusions', saidIn: 0, what: '@src/a.ts' }]);
    expect(rowsOf(record)[0]?.text).toBe(attached('the old text'));
  });

  test('contains the replacement of a result that newer ones replaced', async () => {
    const builder = new SessionBuilder();
    builder.human('Test it.');
    for (const run of [1, 2, 3])
      builder.tool('run_shell_command', { command: `test ${run}` }, fileText(`run${run}`, 9));
    builder.ai('Done.');
    const settings = { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 1 };
    const { record, result } = await ledgerOf(builder.session(), { settings });
    expect(rowsOf(record).map(({ rule, what, left }) => [rule, what, left])).toEqual(
      [1, 2].map((run) => ['recency', `run_shell_command test ${run}`, expect.stringContaining('pruned')]),
    );
    expect(tokensOf(rowsOf(record))).toBe(result.removedTokens.recency);
    expect(rowsOf(record).map(({ why }) => why)).toEqual([
      'only the newest result of run_shell_command is kept',
      'only the newest result of run_shell_command is kept',
    ]);
  });

  test('speaks of newer results only where there are some: a result that was carried for long may be the last', async () => {
    const builder = new SessionBuilder();
    builder.human('Look around.');
    builder.tool('run_shell_command', { command: 'make' }, fileText('made', 40));
    for (const file of ['a', 'b', 'c', 'd', 'e', 'f'])
      builder.tool('read_file', { absolute_path: `/project/${file}.ts` }, fileText(file, 3));
    builder.ai('Done.');
    const settings = { 'compression.density.resultCalls': 4 };
    const { record } = await ledgerOf(builder.session(), { settings });
    expect(rowsOf(record)).toMatchObject([
      { what: 'run_shell_command make', why: 'it was sent with at least 4 model calls' },
    ]);
  });

  test.each(['high-density', 'top-down-truncation'])('adds up to what %s took from the example', async (strategy) => {
    const settings = { 'context-limit': 40_000 };
    const { record, result } = await ledgerOf(exampleSession(), { settings, strategy });
    const rules = removalsOf(result);
    for (const rule of ['readWritePairs', 'recency', 'summarised', 'dropped'] as const) {
      const rows = rowsOf(record).filter((row) => row.rule === rule);
      expect([rule, tokensOf(rows)]).toEqual([rule, rules[rule].tokens]);
    }
    expect(record.steps.some(({ kind }) => kind === 'compressed')).toBe(true);
    expect(record.steps.map(({ turn }) => turn)).toEqual(record.steps.map(({ turn }) => turn).sort((a, b) => a - b));
    for (const { turn, rows } of record.steps) for (const row of rows) expect(row.saidIn).toBeLessThan(turn);
  });

  test('keeps the largest where there are too many, and says how many it left out', async () => {
    const whole = rowsOf((await ledgerOf(exampleSession())).record);
    const { record } = await ledgerOf(exampleSession(), { rowsAtMost: 5 });
    expect(rowsOf(record)).toHaveLength(5);
    expect(record).toMatchObject({ pieces: whole.length, unshown: whole.length - 5 });
    const sizes = whole.map(({ text }) => text.length).sort((one, other) => other - one);
    for (const { text } of rowsOf(record)) expect(text.length).toBeGreaterThanOrEqual(sizes[6] ?? 0);
  });
});
