import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../../src/history/counter.ts';
import { HistoryService } from '../../src/history/history-service.ts';
import { InlineEngine } from '../../src/history/inline-engine.ts';
import { OffloadedEngine } from '../../src/offload/offloaded-engine.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { gateOptions, MODEL, stateOf } from '../contracts/engine.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { Loopback, replicaStore } from './loopback.ts';
import { oddEntry } from './odd-values.ts';

const SETTINGS = { 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 2 } as const;

type Step =
  | { readonly kind: 'add'; readonly entries: readonly IContent[] }
  | { readonly kind: 'gate'; readonly limit: number; readonly strategy: 'high-density' | 'top-down-truncation' }
  | { readonly kind: 'gate-while-adding'; readonly entries: readonly IContent[] }
  | { readonly kind: 'pop' | 'clear' | 'recount' | 'fix' | 'replace' | 'lose-thread' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), entries: generatedHistory() }) },
  fc.record({ kind: fc.constant('add' as const), entries: fc.array(oddEntry, { maxLength: 2 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('gate' as const),
      limit: fc.constantFrom(400, 2_000, 200_000),
      strategy: fc.constantFrom('high-density' as const, 'top-down-truncation' as const),
    }),
  },
  fc.record({ kind: fc.constant('gate-while-adding' as const), entries: generatedHistory() }),
  fc.record({
    kind: fc.constantFrom(
      'pop' as const,
      'clear' as const,
      'recount' as const,
      'fix' as const,
      'replace' as const,
      'lose-thread' as const,
    ),
  }),
);

/** What a step did, in words that do not depend on the engine. */
async function take(history: HistoryService, what: Step, loseThread: () => void): Promise<unknown> {
  const gate = (settings: EphemeralSettings) => {
    const options = gateOptions((name) => getCompressionStrategy(name), { ...SETTINGS, ...settings });
    const workspaceRoot = GENERATED_WORKSPACE;
    const runtimeContext = { ...options.runtimeContext, workspaceRoot };
    return new PreSendGate(history, { ...options, runtimeContext, completionBudgetTokens: 50 });
  };
  switch (what.kind) {
    case 'add':
      return history.addAll(what.entries);
    case 'gate':
      return gate({ 'context-limit': what.limit, 'compression.strategy': what.strategy })
        .ensureCompressionBeforeSend('p')
        .catch((error: Error) => `${error.name}: ${error.message}`);
    case 'gate-while-adding': {
      const run = gate({}).ensureCompressionBeforeSend('p');
      history.addAll(what.entries);
      await run;
      return undefined;
    }
    case 'pop':
      return history.pop();
    case 'clear':
      return history.clear();
    case 'recount':
      return history.recalculateTotalTokens();
    case 'fix':
      return history.validateAndFix();
    case 'replace':
      return history.replaceAll(history.getAll().filter((_, index) => index % 3 !== 1));
    case 'lose-thread':
      return loseThread();
  }
}

const inline = (): InlineEngine => new InlineEngine(createExactCounter());

describe('an inline and an offloaded history', () => {
  test('are equal after everything that may be done to them, entry for entry, count for count (law 5)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 8 }),
        fc.constantFrom(0, 0, 3_000, 200_000),
        async (steps, minBytes) => {
          const pool = new Loopback();
          const here = new HistoryService({ model: MODEL, engine: inline() });
          const there = new HistoryService({
            model: MODEL,
            engine: new OffloadedEngine({ pool, fallback: inline(), minBytes }),
          });
          const degraded: Error[] = [];
          there.on('engineDegraded', ({ reason }) => degraded.push(reason));
          for (const what of steps) {
            const lose = (): void => {
              pool.store = replicaStore();
            };
            const one = await take(here, what, () => {});
            const other = await take(there, what, lose);
            expect(other).toEqual(one);
            await Promise.all([here.waitForTokenUpdates(), there.waitForTokenUpdates()]);
            expect(stateOf(there)).toEqual(stateOf(here));
          }
          expect(degraded).toEqual([]);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
