import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairCalls, unansweredCalls } from '../../../src/content/calls/pairing.ts';
import type { IContent } from '../../../src/content/content.ts';
import { grouped } from '../../../src/content/counted.ts';
import type { GateReport } from '../../../src/gate/report.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { generatedHistory } from '../../generated-history.ts';
import { ai, answer, call, human, tokensOf } from '../../history/entries.ts';
import { runs } from '../../property-runs.ts';
import { createScene, density, type Scene } from '../fixtures.ts';

const entries = [
  human('the first question'),
  call('c1'),
  answer('c1', 'a'.repeat(1000)),
  ai('an answer'),
  human('the second question'),
  call('c2'),
  answer('c2', 'b'.repeat(1000)),
];
const summary: IContent = { ...ai('s'), metadata: { isSummary: true } };
/** The context limit that leaves `hardLimit` tokens: the reserve is its twentieth. */
const limitFor = (hardLimit: number): number => {
  let limit = hardLimit;
  while (limit - Math.floor(limit * 0.05) < hardLimit) limit++;
  return limit;
};

/** A scene whose hard limit is `hardLimit` tokens, and whose threshold is not reached before it. */
const sceneOf = (hardLimit: number, options: Parameters<typeof createScene>[0] = {}): Scene =>
  createScene({
    entries,
    ...options,
    settings: { 'context-limit': limitFor(hardLimit), 'compression-threshold': 1, ...options.settings },
  });

describe('`enforceContextWindow`', () => {
  test('does nothing while the send fits', async () => {
    const { gate, strategy } = sceneOf(tokensOf(entries) + 10);
    expect(await gate.enforceContextWindow(10, 'p')).toEqual({ kind: 'within-limit' });
    expect([strategy.optimized, strategy.contexts]).toEqual([[], []]);
  });

  test('optimises first, and does not compress if that is enough (REQ-HD-002.8)', async () => {
    const { gate, history, strategy } = sceneOf(tokensOf(entries) - 10);
    strategy.onOptimize = () => density([1, 2]);
    const outcome = await gate.enforceContextWindow(0, 'p');
    expect(outcome).toMatchObject({ kind: 'enforced', density: { kind: 'applied' } });
    expect(strategy.contexts).toEqual([]);
    expect(history.length()).toBe(5);
  });

  test('compresses an optimised history to below the hard limit (REQ-HD-002.8)', async () => {
    const { gate, history, strategy } = sceneOf(tokensOf(entries) - 10);
    strategy.onOptimize = () => density([3]);
    strategy.onCompress = ({ history: old }) => [summary, ...old.slice(-2)];
    const pending = 200;
    const outcome = await gate.enforceContextWindow(pending, 'p');
    expect(outcome).toMatchObject({ density: { kind: 'applied' }, compression: { kind: 'compressed' } });
    expect(outcome).not.toHaveProperty('lastResort');
    expect(strategy.contexts[0]?.history).toEqual(entries.filter((entry) => entry !== entries[3]));
    const { ephemerals } = strategy.contexts[0]!.runtimeContext;
    const target = ephemerals.compressionThreshold() * ephemerals.contextLimit();
    expect(target).toBeCloseTo(tokensOf(entries) - 10 - pending);
    expect(ephemerals.preserveThreshold()).toBe(0.2);
    expect(history.getAll()).toEqual([summary, ...entries.slice(-2)]);
  });

  test('removes the oldest ai and tool groups as a whole if compressing does not help, and keeps human entries', async () => {
    const { gate, history, transcript } = sceneOf(tokensOf(entries) - 10);
    const notices: string[] = [];
    const report = await gate.ensureCompressionBeforeSend('p');
    notices.push(...report.notices);
    expect(report.enforcement).toMatchObject({
      compression: { kind: 'unchanged' },
      lastResort: { entriesDropped: 2, humanEntriesDropped: 0, entriesShrunk: 0 },
    });
    expect(history.getAll()).toEqual([entries[0], ...entries.slice(3)]);
    expect(transcript.entries).toEqual([entries[1], entries[2]]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('compression did not make it smaller; removed the oldest 2 entries.');
  });

  test('one notice names the strategy that failed and the cause (docs/readings.md, row 17)', async () => {
    const told: string[] = [];
    const { gate, strategy, history } = sceneOf(tokensOf(entries) - 10, { onNotice: (notice) => told.push(notice) });
    strategy.onCompress = () => {
      throw new Error('the provider is down');
    };
    const { notices } = await gate.ensureCompressionBeforeSend('p');
    expect(notices).toEqual(told);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('compression with "fake" failed (the provider is down)');
    expect(strategy.contexts).toHaveLength(1);
    expect(history.length()).toBe(5);
  });

  test('a compression that failed at the threshold is not repeated at the hard limit (docs/readings.md, row 17)', async () => {
    const { gate, strategy } = sceneOf(tokensOf(entries) - 10, { settings: { 'compression-threshold': 0.1 } });
    strategy.onCompress = () => {
      throw new Error('no');
    };
    const report = await gate.ensureCompressionBeforeSend('p');
    expect(report.compression).toMatchObject({ kind: 'failed', strategy: 'fake' });
    expect(report.enforcement).toMatchObject({ lastResort: { entriesDropped: 2 } });
    expect(strategy.contexts).toHaveLength(1);
  });

  test('a model is asked at most once per run, and not during a pause', async () => {
    const { gate, strategy, history } = sceneOf(tokensOf(entries) - 10);
    strategy.requiresLLM = true;
    strategy.onCompress = () => {
      throw new Error('no');
    };
    const outcomes: unknown[] = [];
    for (let run = 0; run < 4; run++) {
      await history.replaceAll(entries);
      const { enforcement } = await gate.ensureCompressionBeforeSend('p');
      outcomes.push(enforcement.kind === 'enforced' ? enforcement.compression?.kind : enforcement.kind);
    }
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'cooling-down']);
    expect(strategy.contexts).toHaveLength(3);
  });

  test('cuts the largest results before it removes a whole conversation', async () => {
    const small = [human('q'), call('c1'), answer('c1', 'a'.repeat(300)), call('c2'), answer('c2', 'b'.repeat(9000))];
    const { gate, history } = sceneOf(2000, { entries: small });
    const { enforcement } = await gate.ensureCompressionBeforeSend('p');
    expect(enforcement).toMatchObject({ lastResort: { entriesDropped: 0, entriesShrunk: 1 } });
    expect(history.getAll().slice(0, 4)).toEqual(small.slice(0, 4));
    const result = (history.getAll()[4]?.blocks[0] as { result: string } | undefined)?.result;
    expect(result).toMatch(/^b+\n\[… [\d,]+ characters cut to fit the context window …\]\nb+$/);
    expect(history.getTotalTokens()).toBeLessThanOrEqual(2000);
    expect(history.getTotalTokens()).toBeGreaterThan(1800);
  });

  test('cuts a long error too, and keeps a short error with a long result (docs/readings.md, row 20)', async () => {
    const long = [human('q'), call('c1'), answer('c1', null, { error: 'e'.repeat(9000) })];
    const scene = sceneOf(2000, { entries: long });
    expect((await scene.gate.ensureCompressionBeforeSend('p')).enforcement).toMatchObject({
      lastResort: { entriesShrunk: 1 },
    });
    const cut = scene.history.getAll()[2]?.blocks[0];
    expect(cut).toMatchObject({
      result: null,
      error: expect.stringMatching(/^e+\n\[… [\d,]+ characters cut .*\]\ne+$/),
    });
    const beside = sceneOf(2000, {
      entries: [human('q'), call('c1'), answer('c1', 'r'.repeat(9000), { error: 'no' })],
    });
    await beside.gate.ensureCompressionBeforeSend('p');
    const kept = beside.history.getAll()[2]?.blocks[0];
    expect(kept).toMatchObject({ error: 'no', result: expect.stringContaining('characters cut') });
  });

  test('removes human entries last, oldest first and never the last one, and names each in the notice and the transcript (docs/readings.md, row 13)', async () => {
    const words = ['one', 'two', 'three'].map((word) => human(`${word} ${'w'.repeat(400)}`));
    const { gate, history, transcript } = sceneOf(1100, { entries: [...words.slice(0, 2), ai('x'), words[2]!] });
    const { notices, enforcement } = await gate.ensureCompressionBeforeSend('p');
    expect(enforcement).toMatchObject({ lastResort: { entriesDropped: 2, humanEntriesDropped: 1 } });
    expect(history.getAll()).toEqual(words.slice(1));
    expect(transcript.entries).toEqual([words[0], ai('x')]);
    expect(notices[0]).toContain(`no longer in the context: “one ${'w'.repeat(56)}…”.`);
  });

  test('is planned again if the history changes or grows meanwhile (law 10; docs/readings.md, row 18)', async () => {
    let disturb = (): unknown => undefined;
    const transcript = {
      append: async (): Promise<void> => {
        disturb();
      },
    };
    const { gate, history } = sceneOf(tokensOf(entries) - 10, { transcript });
    const changes = [() => history.pop(), () => history.add(human('z'.repeat(1200))), () => undefined];
    disturb = () => changes.shift()?.();
    const { enforcement } = await gate.ensureCompressionBeforeSend('p', 1000);
    expect(enforcement).toMatchObject({ lastResort: { humanEntriesDropped: 0 } });
    expect(changes).toEqual([]);
    expect(history.getLastUserContent()).toEqual(human('z'.repeat(1200)));
    expect(history.getTotalTokens() + 1000).toBeLessThanOrEqual(tokensOf(entries) - 10);
  });

  test.each([
    ['what is pending does not fit', 5000, entries],
    ['the base offset and the last message do not fit', 0, [human('z'.repeat(5000))]],
  ])('when %s: one error with the numbers, and nothing is removed (law 10, law 9)', async (_name, pending, history) => {
    const scene = sceneOf(3000, { entries: history });
    scene.history.setBaseTokenOffset(77);
    const failure = (await scene.gate
      .ensureCompressionBeforeSend('p', pending)
      .catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ name: 'CompressionStrategyError', code: 'CONTEXT_WINDOW_EXCEEDED' });
    for (const number of [3000, limitFor(3000), 77, pending, tokensOf(history), tokensOf(history) + 77 + pending]) {
      expect(failure.message).toMatch(new RegExp(`\\b${grouped(number)}\\b`));
    }
    expect(scene.history.getAll()).toEqual(history);
    expect(scene.transcript.entries).toEqual([]);
  });

  test('strict mode throws the strategy’s error or the window error, without a last resort (docs/readings.md, row 17)', async () => {
    const { gate, history, strategy } = sceneOf(tokensOf(entries) - 10, { isStrict: true });
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toMatchObject({ code: 'CONTEXT_WINDOW_EXCEEDED' });
    const failure = new Error('no');
    strategy.onCompress = () => {
      throw failure;
    };
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toBe(failure);
    await expect(gate.enforceContextWindow(0, 'p')).rejects.toBe(failure);
    expect(history.getAll()).toEqual(entries);
  });
});

describe('law 10 and law 2 over generated histories', () => {
  const isIntact = (history: readonly IContent[]): boolean => unansweredCalls(pairCalls(history)).length === 0;

  test.each(['high-density', 'top-down-truncation'] as const)(
    'with %s a send either fits or throws its one error; pairs are intact and nothing grows',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(
          generatedHistory('intact'),
          fc.integer({ min: 50, max: 5000 }),
          fc.nat(400),
          async (generated, contextLimit, pending) => {
            const { gate, history } = createScene({
              entries: generated,
              settings: { 'context-limit': contextLimit },
              createStrategy: () => getCompressionStrategy(name),
            });
            const hardLimit = contextLimit - Math.floor(contextLimit * 0.05);
            const last = generated.findLast(({ speaker }) => speaker === 'human');
            let report: GateReport;
            try {
              report = await gate.ensureCompressionBeforeSend('p', pending);
            } catch (error) {
              expect(error).toMatchObject({ code: 'CONTEXT_WINDOW_EXCEEDED' });
              expect(history.getTotalTokens() + pending).toBeGreaterThan(hardLimit);
              return;
            }
            expect(report.tokensAfter + pending).toBeLessThanOrEqual(hardLimit);
            expect(report.tokensAfter).toBeLessThanOrEqual(tokensOf(generated));
            expect(history.getTotalTokens()).toBe(tokensOf(history.getAll()));
            expect(isIntact(history.getAll())).toBe(true);
            const words = history.getLastUserContent()?.blocks[0];
            if (last?.blocks[0]?.type === 'text' && !last.blocks[0].text.includes('---')) {
              expect(words).toEqual(last.blocks[0]);
            }
          },
        ),
        { numRuns: runs(1000) },
      );
    },
  );
});
