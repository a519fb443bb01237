import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { liveHistory, type Session } from '../../src/formats/contract.ts';
import type { ReplayTurn } from '../../src/replay/result.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { entryCounter } from '../../src/tokens/entries/block-counter.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { fileText, MODEL, replayed, SessionBuilder } from './sessions.ts';

const countEntry = entryCounter(MODEL);
const tokensOf = (session: Session): number => liveHistory(session).reduce((sum, entry) => sum + countEntry(entry), 0);
const sumOf = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((sum, value) => sum + value, 0);

/** Two reads of a file, an edit between them, an answer: the first read is stale. */
function editedFile(): { builder: SessionBuilder; stale: number } {
  const builder = new SessionBuilder();
  builder.human('Rename it.');
  const first = builder.tool('read_file', { absolute_path: '/project/a.ts' }, fileText('before', 40));
  builder.tool('replace', { file_path: '/project/a.ts', old_string: 'before1', new_string: 'after1' }, 'ok');
  builder.tool('read_file', { absolute_path: '/project/a.ts' }, fileText('after', 40));
  builder.ai('Renamed.');
  return { builder, stale: countEntry(first.call) + countEntry(first.response) };
}

describe('a replay', () => {
  test('counts the decisions about edits by their cause', async () => {
    const { builder } = editedFile();
    for (let call = 0; call < 3; call++)
      builder.tool('read_file', { absolute_path: `/project/${call}.ts` }, fileText(`f${call}`, 4000));
    builder.ai('Read.');
    const { decisions } = await replayed(builder.session());
    expect(decisions).toEqual({});
    const waits = await replayed(builder.session(), 'high-density', {
      settings: { 'compression.density.timing': 'when-it-pays' },
    });
    expect(Object.keys(waits.decisions).length).toBeGreaterThan(0);
    expect(sumOf(waits.decisions)).toBeLessThanOrEqual(waits.turns);
  });

  test('counts one turn for each model call, and what it had with and without pruning', async () => {
    const { builder, stale } = editedFile();
    const session = builder.session();
    const last = countEntry(liveHistory(session).at(-1)!);
    const turns: ReplayTurn[] = [];
    const result = await replayed(session, 'high-density', { onTurn: (turn) => turns.push(turn) });
    expect(result).toMatchObject({
      turns: 4,
      entries: 8,
      entriesAfter: 5,
      tokensRaw: tokensOf(session) - last,
      tokensAfter: tokensOf(session) - last - stale,
      compressions: 0,
      pairsBroken: 0,
      removed: { readWritePairs: 1, fileInclusions: 0, recency: 0, summarised: 0, dropped: 0 },
      removedTokens: { readWritePairs: stale },
    });
    expect(turns.map(({ turn, entries }) => [turn, entries])).toEqual([
      [1, 1],
      [2, 3],
      // The stale read is removed before the third call.
      [3, 3],
      [4, 5],
    ]);
    expect(turns.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(result.tokensSent);
  });

  test('with no strategy takes nothing away and says so', async () => {
    const result = await replayed(editedFile().builder.session(), 'none');
    expect(result.tokensAfter).toBe(result.tokensRaw);
    expect(result.tokensSent).toBe(result.tokensSentRaw);
    expect(sumOf(result.removed)).toBe(0);
  });

  test('books attached files and masked results under their own rules', async () => {
    const builder = new SessionBuilder();
    const attached = `--- a.ts ---\n${fileText('a', 30)}\n--- End of content ---`;
    builder.human(`First:\n\n${attached}`);
    builder.ai('Seen.');
    builder.human(`Again:\n\n${attached}`);
    builder.tool('run_shell_command', { command: 'npm test' }, fileText('one', 30));
    builder.tool('run_shell_command', { command: 'npm test' }, fileText('two', 30));
    builder.ai('Done.');
    const result = await replayed(builder.session(), 'high-density', {
      settings: { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 1 },
    });
    expect(result.removed).toEqual({
      readWritePairs: 0,
      fileInclusions: 1,
      recency: 1,
      repeats: 0,
      reports: 0,
      skills: 0,
      thinking: 0,
      shaped: 0,
      summarised: 0,
      dropped: 0,
    });
    expect(result.removedTokens.fileInclusions).toBeGreaterThan(150);
    expect(result.removedTokens.recency).toBeGreaterThan(150);
    expect(sumOf(result.removedTokens)).toBe(result.tokensRaw - result.tokensAfter);
  });

  test('compresses at the threshold and keeps every call with its response', async () => {
    const builder = new SessionBuilder();
    builder.human('Go through all of it.');
    for (let file = 0; file < 30; file++) {
      builder.tool('read_file', { absolute_path: `/project/${file}.ts` }, fileText(`f${file}x`, 40));
    }
    builder.ai('Read.');
    const result = await replayed(builder.session(), 'high-density', { settings: { 'context-limit': 5000 } });
    expect(result.compressions).toBeGreaterThan(0);
    expect(result.removed.summarised).toBeGreaterThan(0);
    expect(result.tokensPeakRaw).toBeGreaterThan(5000);
    expect(result.tokensPeak).toBeLessThanOrEqual(5000);
    expect(result).toMatchObject({ turnsOverLimit: 0, turnsRefused: 0, pairsBroken: 0 });
    expect(result.turnsOverLimitRaw).toBeGreaterThan(0);
    expect(sumOf(result.removedTokens)).toBe(result.tokensRaw - result.tokensAfter);
  });

  test('continues after a call that nothing can make fit, and counts it', async () => {
    const builder = new SessionBuilder();
    builder.human(fileText('words', 400));
    builder.ai('Too much.');
    const result = await replayed(builder.session(), 'high-density', { settings: { 'context-limit': 100 } });
    expect(result).toMatchObject({ turns: 1, turnsRefused: 1, turnsOverLimit: 1 });
  });

  test('counts the system prompt with every call', async () => {
    const { builder } = editedFile();
    const without = await replayed(builder.session());
    const systemText = fileText('system', 20);
    const withSystem = await replayed(builder.session({ systemText }));
    const system = countEntry({ speaker: 'human', blocks: [{ type: 'text', text: systemText }] });
    expect(withSystem.tokensAfter).toBe(without.tokensAfter + system);
    expect(withSystem.tokensSentRaw).toBe(without.tokensSentRaw + 4 * system);
  });

  test('rebuilds the history as the recorded agent did, and keeps pruned entries pruned', async () => {
    const { builder } = editedFile();
    const entries = liveHistory(builder.session());
    const summary = { speaker: 'human', blocks: [{ type: 'text', text: 'So far: renamed.' }] } as const;
    // The agent keeps the stale read, which was pruned before, and drops its own last answer.
    builder.replace([{ ...summary, metadata: { id: 'summary' } }, ...entries.slice(1, -1)]);
    builder.ai('Going on.');
    const result = await replayed(builder.session());
    expect(result).toMatchObject({ rebuilds: 1, pairsBroken: 0, entriesAfter: 5 });
    expect(result.removed.readWritePairs).toBe(1);
  });

  test('reports the gate and the thread by the clock that it is given', async () => {
    let now = 0;
    // On a busy machine the probe's timer would read the clock too, in the middle of a gate run.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const result = await replayed(editedFile().builder.session(), 'high-density', { clock: () => (now += 10) });
    vi.useRealTimers();
    expect(result.gateMs).toEqual({ p50: 10, p99: 10, max: 10 });
    expect(result.stallMs.max).toBeGreaterThan(0);
  });

  test('compares its count with what the provider reported', async () => {
    const builder = new SessionBuilder();
    const sizes: number[] = [];
    let tokens = 0;
    for (let call = 0; call < 4; call++) {
      tokens += countEntry(builder.human(fileText(`h${call}x`, 30)));
      sizes.push(tokens);
      const usage = { promptTokens: 900 + tokens, completionTokens: 3, totalTokens: 903 + tokens };
      tokens += countEntry(
        builder.add({ speaker: 'ai', blocks: [{ type: 'text', text: 'Noted.' }], metadata: { usage } }),
      );
    }
    const result = await replayed(builder.session());
    expect(result.usageError).toEqual({ total: 0, median: 0, p90: 0, calls: 3 });
  });

  test('says of a session without model calls how large it is', async () => {
    const builder = new SessionBuilder();
    builder.human('Hello?');
    const result = await replayed(builder.session());
    expect(result).toMatchObject({ turns: 0, gateMs: { p50: 0, p99: 0, max: 0 }, usageError: null });
    expect(result.tokensAfter).toBe(tokensOf(builder.session()));
  });

  test('of the example saves a third and more, equally every time', async () => {
    const one = await replayed(exampleSession());
    const other = await replayed(exampleSession());
    expect(other).toEqual(one);
    expect(one.turns).toBe(150);
    expect(one.tokensSent).toBeLessThan(one.tokensSentRaw * 0.67);
  });

  test('takes away what its rules say they took away, over any history', async () => {
    await fc.assert(
      fc.asyncProperty(generatedHistory('intact'), fc.constantFrom(300, 200_000), async (history, limit) => {
        const events = history.map((content, index) => ({
          kind: 'add' as const,
          content: { ...content, metadata: { ...content.metadata, id: `entry-${index}` } },
        }));
        const session = { format: 'high-density', workspaceRoot: GENERATED_WORKSPACE, events, skipped: [] };
        const result = await replayed(session, 'high-density', { settings: { 'context-limit': limit } });
        expect(result.pairsBroken).toBe(0);
        expect(result.tokensRaw - result.tokensAfter).toBe(sumOf(result.removedTokens));
      }),
      { numRuns: runs(150) },
    );
  });
});
