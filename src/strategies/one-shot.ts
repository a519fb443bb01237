import type { CompressionContext, CompressionResult, CompressionStrategy, StrategyOptions } from './contract.ts';
import { DEFAULT_THRESHOLD_RATIO } from './threshold.ts';

/**
 * Asks a model to summarise the whole conversation except its tail.
 * Source: REQ-HD-001.3, 001.4, 011, 012; docs/readings.md, rows 15, 17 and 21.
 */
export class OneShotStrategy implements CompressionStrategy {
  readonly name = 'one-shot';
  readonly requiresLLM = true;
  readonly trigger = { mode: 'threshold', defaultThreshold: DEFAULT_THRESHOLD_RATIO } as const;
  readonly #pause: () => Promise<void>;

  constructor({ pause = async () => {} }: StrategyOptions = {}) {
    this.#pause = pause;
  }

  async compress(context: CompressionContext): Promise<CompressionResult> {
    // Loaded late: without a model it is not needed.
    const { compressBySummary } = await import('./summarizing/compress.ts');
    return compressBySummary(context, { strategy: this.name, topRatio: 0, pause: this.#pause });
  }
}
