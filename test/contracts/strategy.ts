import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairCalls } from '../../src/content/calls/pairing.ts';
import type { IContent } from '../../src/content/content.ts';
import { CompressionStrategyError } from '../../src/errors.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../../src/strategies/contract.ts';
import { generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { compressionContext } from '../strategies/compression-context.ts';
import { withSummarizer } from '../strategies/fake-summarizer.ts';

const RUNS = { numRuns: runs(1000) };

/** The history that a result makes of `history`. */
export function applied(history: readonly IContent[], { removals, replacements }: DensityResult): IContent[] {
  const removed = new Set(removals);
  return history.map((content, index) => replacements.get(index) ?? content).filter((_, index) => !removed.has(index));
}

/** Every call that does not have exactly one response and every response without a call, in words. */
export function brokenPairs(history: readonly IContent[]): string[] {
  const { calls, responses } = pairCalls(history);
  return [
    ...calls
      .filter((call) => call.responses.length !== 1)
      .map((paired) => `${paired.call.id} has ${paired.responses.length}`),
    ...responses.filter(({ call }) => call === undefined).map(({ response }) => `${response.callId} is an orphan`),
  ];
}

/** What a strategy makes of a history; undefined when it refuses because that would not be smaller. */
export async function compressed(
  strategy: CompressionStrategy,
  context: CompressionContext,
): Promise<CompressionResult | undefined> {
  try {
    return await strategy.compress(strategy.requiresLLM ? withSummarizer(context) : context);
  } catch (error) {
    if (error instanceof CompressionStrategyError && error.code === 'SUMMARY_NOT_SMALLER') return undefined;
    throw error;
  }
}

/** What every strategy owes its callers, whatever it does. `create` returns a fresh instance. */
export function strategyContract(name: string, create: () => CompressionStrategy, config: DensityConfig): void {
  describe(`strategy ${name}`, () => {
    test('declares its name and trigger (REQ-HD-001.1, BR-THRESH-002, BR-THRESH-003)', () => {
      const strategy = create();
      expect(strategy.name).toBe(name);
      expect(['threshold', 'continuous']).toContain(strategy.trigger.mode);
      expect(strategy.trigger.defaultThreshold).toBe(0.85);
      expect(strategy.optimize !== undefined).toBe(strategy.trigger.mode === 'continuous');
      expect(create()).not.toBe(strategy);
    });

    test('compresses an empty history to an empty one (EC-001)', async () => {
      const { newHistory, metadata } = (await compressed(create(), compressionContext([])))!;
      expect(newHistory).toEqual([]);
      expect(metadata).toMatchObject({ originalMessageCount: 0, compressedMessageCount: 0, strategyUsed: name });
    });

    test('passes a failure on unchanged (REQ-HD-013.4, ERR-003)', async () => {
      const failure = new Error('no tokenizer');
      const history = fc
        .sample(generatedHistory('intact'), { numRuns: 50, seed: 1 })
        .find(({ length }) => length > 10)!;
      const context = compressionContext(history, { limit: 10 }, { estimateTokens: () => Promise.reject(failure) });
      await expect(compressed(create(), context)).rejects.toBe(failure);
    });

    test('compress keeps pairs, the tail and the last human words, and adds no entry (law 1)', async () => {
      await fc.assert(
        fc.asyncProperty(generatedHistory('intact'), fc.integer({ min: 10, max: 20_000 }), async (history, limit) => {
          const before = structuredClone(history);
          const result = await compressed(create(), compressionContext(history, { limit }));
          expect(history).toEqual(before);
          if (result === undefined) return;
          const { newHistory, metadata } = result;
          expect(newHistory).not.toBe(history);
          expect(brokenPairs(newHistory)).toEqual([]);
          expect(newHistory.length).toBeLessThanOrEqual(history.length);
          const tail = Math.ceil(history.length * 0.2);
          if (tail > 0)
            expect(newHistory.slice(-tail).every((entry, at) => entry === history.slice(-tail)[at])).toBe(true);
          const lastHuman = history.findLast(({ speaker }) => speaker === 'human');
          if (lastHuman !== undefined) expect(newHistory).toContain(lastHuman);
          expect(metadata).toMatchObject({
            originalMessageCount: history.length,
            compressedMessageCount: newHistory.length,
            strategyUsed: name,
          });
        }),
        RUNS,
      );
    });

    test('compress breaks no further pair of a history with broken ones and keeps the order', async () => {
      await fc.assert(
        fc.asyncProperty(generatedHistory('broken'), async (history) => {
          const result = await compressed(create(), compressionContext(history, { limit: 100 }));
          const newHistory = (result?.newHistory ?? []).filter((entry) => !entry.metadata?.isSummary);
          const known = new Set(brokenPairs(history));
          expect(brokenPairs(newHistory).filter((problem) => !known.has(problem))).toEqual([]);
          const order = newHistory.map(({ metadata }) =>
            history.findIndex((entry) => entry.metadata?.id === metadata?.id),
          );
          expect(order).toEqual([...order].sort((left, right) => left - right));
        }),
        RUNS,
      );
    });

    if (create().optimize === undefined) return;
    const optimize = (history: readonly IContent[], more: Partial<DensityConfig> = {}): DensityResult =>
      create().optimize!(history, { ...config, ...more });

    test('optimize is synchronous and leaves its input alone (REQ-HD-001.2)', () => {
      fc.assert(
        fc.property(generatedHistory(), (history) => {
          const before = structuredClone(history);
          const result = optimize(history);
          expect(Array.isArray(result.removals)).toBe(true);
          expect(history).toEqual(before);
        }),
        RUNS,
      );
    });

    test('optimize returns valid, disjoint indices (REQ-HD-001.5, REQ-HD-001.6, REQ-HD-001.7, BR-CONFLICT-001)', () => {
      fc.assert(
        fc.property(generatedHistory(), (history) => {
          const { removals, replacements } = optimize(history);
          const indices = [...removals, ...replacements.keys()];
          expect(new Set(indices).size).toBe(indices.length);
          expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index < history.length)).toBe(true);
        }),
        RUNS,
      );
    });

    test('optimize keeps intact pairs intact and breaks no more of the broken (law 1)', () => {
      fc.assert(
        fc.property(generatedHistory('intact'), (history) => {
          expect(brokenPairs(applied(history, optimize(history)))).toEqual([]);
        }),
        RUNS,
      );
      fc.assert(
        fc.property(generatedHistory('broken'), (history) => {
          const known = brokenPairs(history);
          const left = brokenPairs(applied(history, optimize(history)));
          expect(left.filter((problem) => !known.includes(problem))).toEqual([]);
        }),
        RUNS,
      );
    });

    test('optimizing twice is optimizing once (row 5, law 3)', () => {
      fc.assert(
        fc.property(generatedHistory(), fc.integer({ min: 1, max: 3 }), (history, recencyRetention) => {
          const once = applied(history, optimize(history, { recencyRetention }));
          const { removals, replacements, metadata } = optimize(once, { recencyRetention });
          expect({ removals, replacements: [...replacements], metadata }).toEqual({
            removals: [],
            replacements: [],
            metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
          });
        }),
        RUNS,
      );
    });

    test('optimize keeps the identity of every entry and block it does not change', () => {
      fc.assert(
        fc.property(generatedHistory(), (history) => {
          for (const [index, replacement] of optimize(history).replacements) {
            const original = history[index]!;
            expect(replacement.speaker).toBe(original.speaker);
            expect(replacement.metadata).toBe(original.metadata);
            const changed = replacement.blocks.filter((block) => !original.blocks.includes(block));
            expect(changed.every(({ type }) => type === 'text' || type === 'tool_response')).toBe(true);
            expect(changed.every((block) => original.blocks.every((other) => !isEqual(block, other)))).toBe(true);
          }
        }),
        RUNS,
      );
    });
  });
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
