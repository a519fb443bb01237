import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import type { HistoryService } from '../../../src/history/history-service.ts';
import { COMPRESSION_STRATEGIES, type DensityResult } from '../../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { compressed } from '../../contracts/strategy.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';
import { compressionContext } from '../../strategies/compression-context.ts';
import { ai, answer, call, createHistory, human, RecordingEngine, tokensOf } from '../entries.ts';

const NOTHING = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };

const density = (removals: number[], replacements: [number, IContent][] = []): DensityResult => ({
  removals,
  replacements: new Map(replacements),
  metadata: NOTHING,
});

/** Compresses as the gate does; `during` is added meanwhile. */
async function compress(history: HistoryService, to: readonly IContent[], during: readonly IContent[] = []) {
  history.startCompression();
  history.addAll(during);
  await history.replaceAll(to);
  history.endCompression();
}

/** The very objects, in this order, with a total that is that of a count from scratch. */
async function expectExactly(history: HistoryService, entries: readonly IContent[]): Promise<void> {
  await history.waitForTokenUpdates();
  const found = history.getAll();
  expect(found).toHaveLength(entries.length);
  for (const [index, entry] of entries.entries()) expect(found[index], `entry ${index}`).toBe(entry);
  expect(history.getTotalTokens()).toBe(tokensOf(entries));
  expect(history.getTokensPerEntry()).toEqual(entries.map((entry) => tokensOf([entry])));
}

const a = human('a');
const b = ai('bb');
const c = human('ccc');
const d = ai('dddd');
const summary = ai('summary');

describe('restoring a compression', () => {
  test('restores the same objects, followed by the entries added since', async () => {
    const history = createHistory([a, b, c]);
    await compress(history, [summary, c], [human('meanwhile')]);
    const [meanwhile] = history.getRecent(1);
    history.add(d);
    const raw = history.getRawHistory();
    expect(await history.restoreLastCompression()).toEqual({
      kind: 'restored',
      entriesRestored: 2,
      entriesRemoved: 1,
    });
    await expectExactly(history, [a, b, c, meanwhile!, d]);
    expect(history.getRawHistory()).toBe(raw);
  });

  test('does so for one made by hand, and for a summary of old entries', async () => {
    const byHand = createHistory([a, b, c]);
    byHand.startCompression();
    byHand.add(d);
    byHand.clear();
    byHand.addAll([summary, c]);
    byHand.endCompression(summary, 2);
    await expectExactly(byHand, [summary, c, d]);
    await byHand.restoreLastCompression();
    await expectExactly(byHand, [a, b, c, d]);
    const summarised = createHistory([a, b, c]);
    await summarised.summarizeOldHistory(1, async () => summary);
    summarised.add(d);
    await summarised.restoreLastCompression();
    await expectExactly(summarised, [a, b, c, d]);
  });

  test('is possible once, and only when there was one', async () => {
    const history = createHistory([a, b]);
    expect(await history.restoreLastCompression()).toEqual({ kind: 'nothing-to-restore' });
    await compress(history, [summary]);
    await history.restoreLastCompression();
    expect(await history.restoreLastCompression()).toEqual({ kind: 'nothing-to-restore' });
    await expectExactly(history, [a, b]);
  });

  test('undoes the last one of several', async () => {
    const history = createHistory([a, b]);
    await compress(history, [summary]);
    history.addAll([c, d]);
    await compress(history, [ai('second summary')]);
    await history.restoreLastCompression();
    await expectExactly(history, [summary, c, d]);
    expect(await history.restoreLastCompression()).toEqual({ kind: 'nothing-to-restore' });
  });

  test('undoes the optimisations since, so that no pair is torn apart', async () => {
    const history = createHistory([a, call('x')]);
    await compress(history, [summary, history.getAll()[1]!]);
    const [, calling] = history.getAll();
    const answered = answer('x');
    history.addAll([answered, b, c]);
    await history.applyDensityResult(density([1, 2]));
    await history.applyDensityResult(density([1], [[0, ai('shorter')]]));
    await history.restoreLastCompression();
    await expectExactly(history, [a, calling!, answered, b, c]);
    expect(history.findUnmatchedToolCalls()).toEqual([]);
  });

  test('does not restore what the caller removed itself', async () => {
    const history = createHistory([a, b, c]);
    await compress(history, [summary, c]);
    expect(history.removeLastIfMatches(c)).toBe(true);
    await history.restoreLastCompression();
    await expectExactly(history, [a, b]);
  });

  test.each<[string, (history: HistoryService) => unknown]>([
    ['emptied', (history) => history.clear()],
    ['replaced as a whole', (history) => history.replaceAll([d])],
    ['edited where it was compressed', (history) => history.replaceToolResponseBlock(1, 0, response('new text'))],
    ['mended where it was compressed', (history) => history.validateAndFix()],
  ])('is not possible when the history was %s since', async (_what, edit) => {
    const answered = answer('x');
    const history = createHistory([a, call('x'), answered, call('y')]);
    const open = history.getAll()[3]!;
    await compress(history, [call('x'), answered, open]);
    await edit(history);
    await history.waitForTokenUpdates();
    const before = history.getAll();
    expect(await history.restoreLastCompression()).toEqual({ kind: 'nothing-to-restore' });
    await expectExactly(history, before);
  });

  test('is still possible when what was added since is edited', async () => {
    const history = createHistory([a, b]);
    await compress(history, [summary]);
    history.addAll([call('x'), answer('x')]);
    expect(await history.replaceToolResponseBlock(2, 0, response('new text'))).toBe(true);
    const [, calling, edited] = history.getAll();
    history.validateAndFix();
    await history.restoreLastCompression();
    await expectExactly(history, [a, b, calling!, edited!]);
  });

  test('waits for a compression that is running, and undoes that one', async () => {
    const history = createHistory([a, b]);
    history.startCompression();
    const restoring = history.restoreLastCompression();
    await history.replaceAll([summary]);
    history.endCompression();
    expect(await restoring).toMatchObject({ kind: 'restored' });
    await expectExactly(history, [a, b]);
  });

  test('leaves history and totals as they are when a count fails, and can be tried again (law 9)', async () => {
    const engine = new FailingEngine();
    const history = createHistory([a, b], { engine });
    await history.waitForTokenUpdates();
    await compress(history, [summary]);
    await history.recalculateTotalTokens('another-model');
    history.setActiveTokenizationTarget('another-model');
    engine.failure = new Error('no counter');
    await expect(history.restoreLastCompression()).rejects.toBe(engine.failure);
    await expect(history.waitForTokenUpdates()).rejects.toBe(engine.failure);
    engine.failure = undefined;
    await expectExactly(history, [summary]);
    await history.restoreLastCompression();
    await expectExactly(history, [a, b]);
  });

  test('keeps what is added while it counts, and refuses when the history moves meanwhile', async () => {
    const engine = new RecordingEngine();
    const history = createHistory([a, b], { engine });
    await compress(history, [summary]);
    history.setActiveTokenizationTarget('another-model');
    engine.hold();
    const restoring = history.restoreLastCompression();
    await new Promise(setImmediate);
    history.add(c);
    engine.release();
    expect(await restoring).toMatchObject({ kind: 'restored' });
    await expectExactly(history, [a, b, c]);
    await compress(history, [summary, d]);
    history.setActiveTokenizationTarget('third-model');
    engine.hold();
    const refused = history.restoreLastCompression();
    await new Promise(setImmediate);
    history.pop();
    engine.release();
    await expect(refused).rejects.toThrowError(expect.objectContaining({ code: 'HISTORY_CHANGED' }));
    await expectExactly(history, [summary]);
  });
});

describe('restoring an optimisation', () => {
  test('restores removed entries and replaced blocks at their places', async () => {
    const last = human('last');
    const history = createHistory([a, b, c, d, last]);
    await history.applyDensityResult(density([4, 0, 2], [[1, ai('b')]]));
    history.add(summary);
    expect(await history.restoreLastOptimization()).toEqual({
      kind: 'restored',
      entriesRestored: 4,
      entriesRemoved: 1,
    });
    await expectExactly(history, [a, b, c, d, last, summary]);
    expect(await history.restoreLastOptimization()).toEqual({ kind: 'nothing-to-restore' });
  });

  test('restores removed entries at the very end', async () => {
    const history = createHistory([a, b, c]);
    await history.applyDensityResult(density([1, 2]));
    await history.restoreLastOptimization();
    await expectExactly(history, [a, b, c]);
  });

  test('undoes a compression since, one after the other as well as both at once', async () => {
    for (const stepwise of [true, false]) {
      const history = createHistory([a, b, c]);
      await history.applyDensityResult(density([1], [[0, human('A')]]));
      const optimized = history.getAll();
      history.add(d);
      await compress(history, [summary]);
      if (stepwise) {
        await history.restoreLastCompression();
        await expectExactly(history, [...optimized, d]);
      }
      await history.restoreLastOptimization();
      await expectExactly(history, [a, b, c, d]);
    }
  });

  test('leaves out what the caller removed, and does not take an empty result for a step', async () => {
    const history = createHistory([a, b, c, d]);
    await history.applyDensityResult(density([1], [[3, ai('D')]]));
    await history.applyDensityResult(density([]));
    history.pop();
    await history.restoreLastOptimization();
    await expectExactly(history, [a, b, c]);
  });

  test('distinguishes an entry from the answer that was made up for it', async () => {
    const history = createHistory([a, call('x'), b]);
    history.validateAndFix();
    await history.waitForTokenUpdates();
    const fixed = history.getAll();
    await history.applyDensityResult(density([2], [[1, ai('no call')]]));
    await history.restoreLastOptimization();
    await expectExactly(history, fixed);
  });
});

/** What a session does between two restorations. */
type Act = 'add' | 'pop' | 'optimize' | 'compress' | 'by hand' | 'restore compression' | 'restore optimization';

describe.each(COMPRESSION_STRATEGIES)('with the strategy %s', (name) => {
  const strategy = getCompressionStrategy(name);
  const config = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 1,
    workspaceRoot: GENERATED_WORKSPACE,
  };
  const acts = fc.array(
    fc.constantFrom<Act[]>(
      'add',
      'add',
      'pop',
      'optimize',
      'compress',
      'by hand',
      'restore compression',
      'restore optimization',
    ),
    { minLength: 2, maxLength: 10 },
  );

  const shorter = async (history: HistoryService): Promise<IContent[] | undefined> =>
    (await compressed(strategy, compressionContext(history.getCurated(), { limit: 500 })))?.newHistory;

  test('any run of steps can be undone exactly: the history is as if the step had never been (law 7, law 9)', async () => {
    let restored = 0;
    await fc.assert(
      fc.asyncProperty(generatedHistory(), acts, async (entries, program) => {
        const history = createHistory(entries);
        /** What the history would be without the last step of each kind, and all after it. */
        let without: { kind: 'compression' | 'optimization'; entries: IContent[] }[] = [];
        const note = (kind: 'compression' | 'optimization', before: IContent[]): void => {
          without.push({ kind, entries: before });
        };
        for (const act of program) {
          if (act === 'add') {
            const added = human(`more ${history.length()}`);
            history.add(added);
            for (const one of without) one.entries.push(added);
          } else if (act === 'pop') {
            const gone = history.pop();
            for (const one of without) if (one.entries.at(-1) === gone) one.entries.pop();
            // What stands elsewhere in an older history has no simple model.
            if (without.some((one) => gone !== undefined && one.entries.includes(gone))) return;
            if (gone !== undefined && !String((gone.blocks[0] as { text?: string }).text).startsWith('more')) return;
          } else if (act === 'optimize') {
            const result = strategy.optimize?.(history.getRawHistory(), config);
            if (result === undefined || result.removals.length + result.replacements.size === 0) continue;
            note('optimization', history.getAll());
            await history.applyDensityResult(result);
          } else if (act === 'compress' || act === 'by hand') {
            if (history.isEmpty()) continue;
            const before = history.getAll();
            const to = await shorter(history);
            if (to === undefined) continue;
            if (act === 'compress') await compress(history, to);
            else {
              history.startCompression();
              history.clear();
              history.addAll(to);
              history.endCompression();
              if (to.length === 0) return;
            }
            note('compression', before);
          } else {
            const kind = act === 'restore compression' ? 'compression' : 'optimization';
            const last = without.findLastIndex((one) => one.kind === kind);
            const outcome =
              kind === 'compression' ? await history.restoreLastCompression() : await history.restoreLastOptimization();
            if (outcome.kind === 'nothing-to-restore') continue;
            restored++;
            await expectExactly(history, without[last]!.entries);
            without = without.slice(0, last);
          }
        }
        await history.waitForTokenUpdates();
        expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
        history.gateAccess.versions.verifyUnchanged();
      }),
      { numRuns: runs(1000) },
    );
    expect(restored).toBeGreaterThan(runs(100));
  });
});

const response = (result: string) => ({ type: 'tool_response', callId: 'x', toolName: 'read_file', result }) as const;

/** Counts as the other one does until a test makes it fail. */
class FailingEngine extends RecordingEngine {
  failure: Error | undefined;

  override async *countEntries(...request: Parameters<RecordingEngine['countEntries']>) {
    if (this.failure) throw this.failure;
    yield* super.countEntries(...request);
  }
}
