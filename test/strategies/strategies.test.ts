import { describe, expect, expectTypeOf, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { CompressionStrategyError, UnknownStrategyError } from '../../src/errors.ts';
import {
  COMPRESSION_STRATEGIES,
  type CompressionStrategy,
  type DensityConfig,
  type DensityEdit,
  type DensityResult,
  type DensityResultMetadata,
  type StrategyTrigger,
} from '../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import type { DensityRules } from '../../src/strategies/settings/rule-settings.ts';
import { parseCompressionStrategyName } from '../../src/strategies/strategy-name.ts';
import { MiddleOutStrategy, OneShotStrategy } from '../../src/strategies/summary-strategies.ts';
import { TopDownTruncationStrategy } from '../../src/strategies/top-down-truncation.ts';
import { strategyContract } from '../contracts/strategy.ts';
import { GENERATED_WORKSPACE } from '../generated-history.ts';

const EVERYTHING = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 2,
  workspaceRoot: GENERATED_WORKSPACE,
};

for (const name of COMPRESSION_STRATEGIES) strategyContract(name, () => getCompressionStrategy(name), EVERYTHING);

describe('the strategies', () => {
  test('are listed by name, high-density among them (REQ-HD-004.1)', () => {
    expect(COMPRESSION_STRATEGIES).toEqual(['middle-out', 'top-down-truncation', 'one-shot', 'high-density']);
  });

  test('are fresh instances of their class (REQ-HD-004.2)', () => {
    expect(getCompressionStrategy('high-density')).toBeInstanceOf(HighDensityStrategy);
    expect(getCompressionStrategy('top-down-truncation')).toBeInstanceOf(TopDownTruncationStrategy);
    expect(getCompressionStrategy('middle-out')).toBeInstanceOf(MiddleOutStrategy);
    expect(getCompressionStrategy('one-shot')).toBeInstanceOf(OneShotStrategy);
    expect(getCompressionStrategy('high-density')).not.toBe(getCompressionStrategy('high-density'));
  });

  test('high-density declares what it is (REQ-HD-004.3)', () => {
    expect(getCompressionStrategy('high-density')).toMatchObject({
      name: 'high-density',
      requiresLLM: false,
      trigger: { mode: 'continuous', defaultThreshold: 0.85 },
    });
  });

  test.each([
    ['middle-out', true],
    ['top-down-truncation', false],
    ['one-shot', true],
  ])(
    '%s acts at the threshold only and has no optimize (REQ-HD-001.3, REQ-HD-001.4, BR-THRESH-002)',
    (name, requiresLLM) => {
      const strategy = getCompressionStrategy(name);
      expect(strategy.trigger).toEqual({ mode: 'threshold', defaultThreshold: 0.85 });
      expect('optimize' in strategy).toBe(false);
      expect(strategy.requiresLLM).toBe(requiresLLM);
    },
  );

  test.each(['', 'High-Density', 'toString', 'middle'])(
    '%j is no strategy, and the known ones are named (ERR-001)',
    (raw) => {
      expect(() => parseCompressionStrategyName(raw)).toThrow(UnknownStrategyError);
      expect(() => getCompressionStrategy(raw)).toThrow(CompressionStrategyError);
      expect(() => parseCompressionStrategyName(raw)).toThrow(
        /middle-out, top-down-truncation, one-shot, high-density/,
      );
    },
  );

  test('have the shapes that the specification gives (REQ-HD-001.1, REQ-HD-001.2, REQ-HD-001.5, REQ-HD-001.8, REQ-HD-001.9)', () => {
    expectTypeOf<StrategyTrigger>().toEqualTypeOf<
      | { readonly mode: 'threshold'; readonly defaultThreshold: number }
      | { readonly mode: 'continuous'; readonly defaultThreshold: number }
    >();
    expectTypeOf<CompressionStrategy['trigger']>().toEqualTypeOf<StrategyTrigger>();
    expectTypeOf<NonNullable<CompressionStrategy['optimize']>>().toEqualTypeOf<
      (history: readonly IContent[], config: DensityConfig) => DensityResult
    >();
    expectTypeOf<DensityResult>().toEqualTypeOf<{
      readonly removals: readonly number[];
      readonly replacements: ReadonlyMap<number, IContent>;
      readonly metadata: DensityResultMetadata;
      readonly edits?: readonly DensityEdit[];
    }>();
    expectTypeOf<DensityResultMetadata>().toEqualTypeOf<{
      readonly readWritePairsPruned: number;
      readonly fileDeduplicationsPruned: number;
      readonly recencyPruned: number;
    }>();
    expectTypeOf<DensityConfig>().toEqualTypeOf<{
      readonly readWritePruning: boolean;
      readonly fileDedupe: boolean;
      readonly recencyPruning: boolean;
      readonly recencyRetention: number;
      readonly workspaceRoot: string;
      readonly rules?: DensityRules;
      readonly isCold?: boolean;
      readonly canOmitThinking?: boolean;
    }>();
    const result = new HighDensityStrategy().optimize([], EVERYTHING);
    expect(Object.keys(result)).toEqual(['removals', 'replacements', 'metadata', 'edits']);
    expect(Object.keys(result.metadata)).toEqual(['readWritePairsPruned', 'fileDeduplicationsPruned', 'recencyPruned']);
  });
});
