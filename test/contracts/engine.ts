import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { PreSendGateOptions } from '../../src/gate/options.ts';
import type { CompressionOutcome, GateReport } from '../../src/gate/report.ts';
import type { Engine } from '../../src/history/engine.ts';
import type { HistoryService } from '../../src/history/history-service.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import type { CompressionStrategy, DensityConfig } from '../../src/strategies/contract.ts';
import { countEntry } from '../../src/tokens/entries/entry.ts';
import { createTokenizer } from '../../src/tokens/index.ts';
import { ai, answer, call, human } from '../history/entries.ts';
import { deepValue } from '../offload/odd-values.ts';

/** What the suite uses of a history, so that the built one and the one of the sources both fit. */
export type TestedHistory = Pick<
  HistoryService,
  | 'add'
  | 'addAll'
  | 'applyDensityResult'
  | 'clear'
  | 'dispose'
  | 'engine'
  | 'estimateTokensForContents'
  | 'estimateTokensForText'
  | 'getAll'
  | 'getCurated'
  | 'getRawHistory'
  | 'getTokensPerEntry'
  | 'getTotalTokens'
  | 'gateAccess'
  | 'pop'
  | 'recalculateTotalTokens'
  | 'replaceAll'
  | 'waitForTokenUpdates'
> & { on(event: string, listener: (...details: never[]) => void): unknown };

/** Everything that can be seen of a history. */
export const stateOf = (history: TestedHistory) => ({
  entries: history.getAll(),
  curated: history.getCurated(),
  tokensPerEntry: history.getTokensPerEntry(),
  totalTokens: history.getTotalTokens(),
  isDirty: history.gateAccess.versions.isDirty,
});

export interface Gate {
  performCompression(promptId: string): Promise<CompressionOutcome>;
  ensureCompressionBeforeSend(promptId: string, pendingTokens?: number): Promise<GateReport>;
}

/** One engine, with the counter and the strategies of `test/fixtures/probe.mjs`. */
export interface EngineSubject {
  readonly name: Engine['name'];
  createHistory(): TestedHistory;
  /** An engine of the other kind or of the same one, for a history that changes it. */
  createEngine(name: Engine['name']): Engine;
  createGate(history: TestedHistory, options: PreSendGateOptions): Gate;
  /** A strategy that the engine runs with the probes around it. */
  createStrategy(name: string): CompressionStrategy;
  /** How often threads were lost. */
  lostThreads(): number;
}

export const CONFIG: DensityConfig = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 1,
  workspaceRoot: '/work',
};
export const MODEL = 'gpt-4.1';

const tokenizer = createTokenizer('o200k');
/** Tokens of these entries, counted from scratch. */
export const tokensOf = (entries: readonly IContent[]): number =>
  entries.reduce((sum, entry) => sum + countEntry(entry, tokenizer), 0);

const lines = (count: number): string => 'const value = compute(input);\n'.repeat(count);
const exchange = (id: string, result = lines(20)): IContent[] => [call(id), answer(id, result)];
const turns = (count: number): IContent[] => [
  human('do it'),
  ...Array.from({ length: count }, (_, index) => exchange(`c${index}`)).flat(),
  ai('done'),
];

/** What a gate needs, with these settings. */
export function gateOptions(
  createStrategy: (name: string) => CompressionStrategy,
  settings: EphemeralSettings = {},
): PreSendGateOptions {
  return {
    runtimeContext: { ephemerals: createEphemerals([settings], { model: MODEL }), workspaceRoot: '/work' },
    runtimeState: { model: MODEL },
    createStrategy,
  };
}

/** What every engine owes its history, wherever it does the work (docs/architecture.md, "The offload protocol"; docs/readings.md, rows 28 to 30). */
export function engineContract(subject: EngineSubject): void {
  const created: TestedHistory[] = [];
  const createHistory = (entries: readonly IContent[] = []): TestedHistory => {
    const history = subject.createHistory();
    created.push(history);
    history.addAll(entries);
    return history;
  };
  /** Reasons for which work fell back to the calling thread. */
  const degradations = (history: TestedHistory): unknown[] => {
    const reasons: unknown[] = [];
    history.on('engineDegraded', (event: { reason: unknown }) => reasons.push(event.reason));
    return reasons;
  };
  const strategy = (name = 'high-density'): CompressionStrategy => subject.createStrategy(name);
  const gateOf = (history: TestedHistory, settings: EphemeralSettings = {}): Gate =>
    subject.createGate(
      history,
      gateOptions((name) => subject.createStrategy(name), settings),
    );

  describe(`counting with the ${subject.name} engine`, () => {
    test('counts each entry exactly and says so once for each, in order', async () => {
      const history = createHistory();
      const updates: { totalTokens: number; addedTokens: number }[] = [];
      history.on('tokensUpdated', (update: { totalTokens: number; addedTokens: number }) => updates.push(update));
      const entries = turns(30);
      history.addAll(entries);
      await history.waitForTokenUpdates();
      expect(history.getTokensPerEntry()).toEqual(entries.map((entry) => tokensOf([entry])));
      expect(updates.map(({ addedTokens }) => addedTokens)).toEqual(history.getTokensPerEntry());
      expect(updates.at(-1)!.totalTokens).toBe(tokensOf(entries));
    });

    test('counts text, and entries that are not of the history, without changing it', async () => {
      const history = createHistory(turns(2));
      await history.waitForTokenUpdates();
      const before = history.getTotalTokens();
      expect(await history.estimateTokensForText('hello world')).toBe(2);
      expect(await history.estimateTokensForText('')).toBe(0);
      expect(await history.estimateTokensForText(lines(50_000))).toBe(tokensOf([human(lines(50_000))]));
      const others = [human('one more'), ...history.getRawHistory().slice(1, 3), ...exchange('x', lines(30_000))];
      expect(await history.estimateTokensForContents(others)).toBe(tokensOf(others));
      expect(history.getTotalTokens()).toBe(before);
    });

    test('counts entries over a megabyte, and those that no structured clone carries, exactly (docs/readings.md, "Bad input")', async () => {
      const loop: Record<string, unknown> = { file_path: 'loop.ts' };
      loop['self'] = loop;
      const parameters = [
        loop,
        { callback: () => 1, at: new Date(0) },
        new Proxy({ file_path: 'proxied.ts' }, {}),
        12n,
        undefined,
        null,
        deepValue(100),
        { content: lines(60_000) },
      ];
      const entries = [
        human(`word 字 ${lines(70_000)}`),
        ...parameters.map(
          (one, index): IContent => ({
            speaker: 'ai',
            blocks: [{ type: 'tool_call', id: `odd-${index}`, name: 'read_file', parameters: one }],
          }),
        ),
      ];
      const history = createHistory(entries);
      const reasons = degradations(history);
      await history.waitForTokenUpdates();
      expect(history.getTokensPerEntry()).toEqual(entries.map((entry) => tokensOf([entry])));
      expect(reasons).toEqual([]);
    });

    test('recounts every entry for another model (docs/readings.md, row 28; REQ-HD-003.6)', async () => {
      const entries = turns(20);
      const history = createHistory(entries);
      await history.recalculateTotalTokens('gpt-4-turbo');
      const cl100k = createTokenizer('cl100k');
      expect(history.getTokensPerEntry()).toEqual(entries.map((entry) => countEntry(entry, cl100k)));
      await history.recalculateTotalTokens(MODEL);
      expect(history.getTotalTokens()).toBe(tokensOf(entries));
    });

    test('what the counter throws reaches the caller once, with code and cause, and stops nothing else (ERR-020, ERR-021)', async () => {
      const history = createHistory([human('before'), human('counter must throw here'), human('behind')]);
      const reasons = degradations(history);
      await expect(history.waitForTokenUpdates()).rejects.toMatchObject({
        name: 'CompressionStrategyError',
        code: 'EXECUTION_FAILED',
        message: 'cannot count: counter must throw here',
        cause: { name: 'TypeError', message: 'the reason' },
      });
      await history.waitForTokenUpdates();
      expect(history.getTokensPerEntry()).toEqual([1, 0, 1]);
      history.add(human('later'));
      await history.waitForTokenUpdates();
      expect(history.getTokensPerEntry()).toEqual([1, 0, 1, 1]);
      expect(reasons).toEqual([]);
      expect(subject.lostThreads()).toBe(0);
    });

    test('a recount that fails leaves the totals as they were (ERR-020)', async () => {
      const history = createHistory(turns(3));
      await history.waitForTokenUpdates();
      const before = history.getTotalTokens();
      const failed = human('counter must throw again');
      await expect(history.estimateTokensForContents([human('fine'), failed])).rejects.toMatchObject({
        code: 'EXECUTION_FAILED',
      });
      await expect(history.replaceAll([human('fine'), failed])).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
      await expect(history.waitForTokenUpdates()).rejects.toMatchObject({ code: 'EXECUTION_FAILED' });
      expect(history.getTotalTokens()).toBe(before);
    });

    test('a history that is cleared while it is counted is empty, and later entries are counted', async () => {
      const history = createHistory(Array.from({ length: 300 }, () => human(lines(300))));
      const counted: number[] = [];
      history.on('tokensUpdated', ({ addedTokens }: { addedTokens: number }) => {
        counted.push(addedTokens);
        if (counted.length === 3) history.clear();
      });
      await history.waitForTokenUpdates();
      expect(history.getTotalTokens()).toBe(0);
      expect(counted.length).toBeLessThan(300);
      history.addAll([human('after'), human('that')]);
      await history.waitForTokenUpdates();
      expect(history.getTokensPerEntry()).toEqual([1, 1]);
    });
  });

  describe(`optimising with the ${subject.name} engine`, () => {
    test('gives the edits of the strategy, in terms of the very entries and blocks of the history', async () => {
      const note = { type: 'text', text: 'kept' } as const;
      const entries = [...exchange('a'), ...exchange('b'), human('now')];
      entries[1] = { ...entries[1]!, blocks: [note, ...entries[1]!.blocks] };
      const history = createHistory(entries);
      const result = await history.engine.optimize(strategy(), history.getRawHistory(), CONFIG);
      const expected = strategy().optimize!(entries, CONFIG);
      expect(result).toEqual(expected);
      expect([...result.replacements.keys()]).toEqual([1]);
      expect(result.replacements.get(1)!.blocks[0]).toBe(note);
      expect(result.replacements.get(1)!.metadata).toBe(entries[1]!.metadata);
      await history.applyDensityResult(result);
      await history.waitForTokenUpdates();
      expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
      expect(history.getRawHistory()[4]).toBe(entries[4]);
    });

    test('the edits of a thousand entries are applied and counted, and nothing is left to do (law 3)', async () => {
      const history = createHistory(turns(1_000));
      const gate = gateOf(history, { 'compression.density.recencyPruning': true });
      const report = await gate.ensureCompressionBeforeSend('one');
      expect(report.density).toMatchObject({ kind: 'applied', entriesReplaced: 997 });
      expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
      const again = await history.engine.optimize(strategy(), history.getRawHistory(), {
        ...CONFIG,
        recencyRetention: 3,
      });
      expect(again).toMatchObject({ removals: [], replacements: new Map() });
    });

    test('optimises an empty history to nothing', async () => {
      const history = createHistory();
      const { removals, replacements } = await history.engine.optimize(strategy(), history.getRawHistory(), CONFIG);
      expect([removals.length, replacements.size]).toEqual([0, 0]);
    });

    test('entries appended meanwhile do not change the result, and are kept (docs/architecture.md, "The offload protocol", stale results)', async () => {
      const entries = turns(40);
      const history = createHistory(entries);
      const version = history.gateAccess.versions.version();
      const optimizing = history.engine.optimize(strategy(), history.getRawHistory(), CONFIG);
      history.addAll(exchange('late', lines(5)));
      const result = await optimizing;
      expect(result).toEqual(strategy().optimize!(entries, CONFIG));
      await history.applyDensityResult(result, version);
      await history.waitForTokenUpdates();
      expect(history.getAll().slice(-2)).toEqual(exchange('late', lines(5)));
      expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
      // The next one, which accepts the applied result, is of the current history.
      const next = await history.engine.optimize(strategy(), history.getRawHistory(), CONFIG);
      expect(next).toEqual(strategy().optimize!(history.getAll(), CONFIG));
      await history.applyDensityResult(next);
      expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
    });

    test('a result that the history has moved away from is discarded and computed again by the gate', async () => {
      const history = createHistory(turns(40));
      await history.waitForTokenUpdates();
      const gate = gateOf(history, { 'compression.density.recencyPruning': true });
      let popped: IContent | undefined;
      let optimized = 0;
      const running = history.engine.optimize.bind(history.engine);
      history.engine.optimize = (...request) => {
        const result = running(...request);
        if (optimized++ === 0) popped = history.pop();
        return result;
      };
      const report = await gate.ensureCompressionBeforeSend('one');
      expect(popped).toBeDefined();
      expect(optimized).toBeGreaterThan(1);
      expect(report.density.kind).toBe('applied');
      expect(history.getAll()).not.toContain(popped);
      expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
    });

    test('what it throws reaches the caller with code, message and cause: no retry, no second run elsewhere (REQ-HD-013.1)', async () => {
      const history = createHistory([human('optimize must throw'), ...turns(2)]);
      const reasons = degradations(history);
      const error = {
        name: 'CompressionStrategyError',
        code: 'EXECUTION_FAILED',
        cause: { name: 'TypeError', message: 'the reason', code: 'E_REASON' },
      };
      const probe = strategy();
      const optimize = () => history.engine.optimize(probe, history.getRawHistory(), CONFIG);
      const first = await optimize().catch((thrown: unknown) => thrown);
      expect(first).toMatchObject(error);
      const calls = Number(/call (\d+)/.exec((first as Error).message)![1]);
      await expect(optimize()).rejects.toThrow(`optimize failed (call ${calls + 1})`);
      const before = history.getAll();
      await expect(gateOf(history).ensureCompressionBeforeSend('one')).rejects.toMatchObject(error);
      expect(history.getAll()).toEqual(before);
      expect(history.gateAccess.versions.isDirty).toBe(false);
      expect(reasons).toEqual([]);
      expect(subject.lostThreads()).toBe(0);
    });
  });

  describe(`compressing with the ${subject.name} engine`, () => {
    const small: EphemeralSettings = { 'context-limit': 10_000 };

    test.each(['high-density', 'top-down-truncation'] as const)('%s gives what the strategy gives', async (name) => {
      const history = createHistory(turns(120));
      const before = history.getAll();
      const gate = gateOf(history, { ...small, 'compression.strategy': name });
      expect(await gate.performCompression('one')).toMatchObject({ kind: 'compressed' });
      expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
      expect(history.getTotalTokens()).toBeLessThan(10_000);
      const kept = history.getAll().filter((entry) => before.includes(entry));
      expect(kept.length).toBeGreaterThan(20);
      // What follows is of the compressed history.
      history.addAll(exchange('next'));
      await history.waitForTokenUpdates();
      const result = await history.engine.optimize(strategy(), history.getRawHistory(), CONFIG);
      expect(result).toEqual(strategy().optimize!(history.getAll(), CONFIG));
    });

    test('what it throws reaches the caller, without a second try, and the history is as it was (REQ-HD-013.4, ERR-003)', async () => {
      const history = createHistory([human('compress must throw'), ...turns(120)]);
      const before = history.getAll();
      const reasons = degradations(history);
      const gate = gateOf(history, small);
      const compress = () => gate.performCompression('one');
      const first = await compress().catch((thrown: unknown) => thrown);
      expect(first).toMatchObject({
        code: 'EMPTY_SUMMARY',
        message: expect.stringContaining('compress failed (call '),
        cause: { name: 'RangeError', message: 'the reason', code: 'E_REASON' },
      });
      const calls = Number(/call (\d+)/.exec((first as Error).message)![1]);
      await expect(compress()).rejects.toThrow(`compress failed (call ${calls + 1})`);
      expect(reasons).toEqual([]);
      expect(history.getAll()).toEqual(before);
      expect(subject.lostThreads()).toBe(0);
    });
  });

  describe(`a history with the ${subject.name} engine`, () => {
    test.each(['inline', 'offloaded'] as const)(
      'switches to the %s engine during a count, and loses nothing',
      async (other) => {
        const entries = turns(200);
        const history = createHistory(entries);
        const before = history.engine;
        const switching = history.gateAccess.setEngine(subject.createEngine(other));
        history.addAll(exchange('late'));
        await switching;
        history.addAll(exchange('later'));
        await history.waitForTokenUpdates();
        expect(history.engine.name).toBe(other);
        expect(history.getTokensPerEntry()).toEqual(history.getAll().map((entry) => tokensOf([entry])));
        const result = await history.engine.optimize(strategy(), history.getRawHistory(), CONFIG);
        expect(result).toEqual(strategy().optimize!(history.getAll(), CONFIG));
        await history.applyDensityResult(result);
        expect(history.getTotalTokens()).toBe(tokensOf(history.getRawHistory()));
        await before.dispose();
      },
    );

    test('says what was counted, and where', async () => {
      const history = createHistory(turns(20));
      await history.waitForTokenUpdates();
      const { bytesCountedByCaller, bytesCountedOnThreads } = history.engine.stats();
      const [here, elsewhere] =
        subject.name === 'inline'
          ? [bytesCountedByCaller, bytesCountedOnThreads]
          : [bytesCountedOnThreads, bytesCountedByCaller];
      expect(here).toBeGreaterThan(20 * lines(20).length);
      expect(elsewhere).toBe(0);
    });

    test('can be disposed while it counts; nothing is thrown and nothing waits for ever', async () => {
      const history = createHistory(Array.from({ length: 100 }, () => human(lines(300))));
      const { engine } = history;
      history.dispose();
      await history.waitForTokenUpdates();
      await engine.dispose();
    });
  });
}
