import type { CompressionContext, CompressionResult, CompressionStrategy, StrategyOptions } from './contract.ts';
import { DEFAULT_THRESHOLD_RATIO } from './threshold.ts';

/** Share of the entries at the start that is kept unchanged. Source: docs/readings.md, row 15. */
const TOP_RATIO = 0.2;

/**
 * Keeps the start and the end of the conversation, and asks a model to summarise the middle.
 * Source: REQ-HD-001.3, 001.4, 011, 012; docs/readings.md, rows 15, 17 and 21.
 */
export class MiddleOutStrategy implements CompressionStrategy {
  readonly name = 'middle-out';
  readonly requiresLLM = true;
  readonly trigger = { mode: 'threshold', defaultThreshold: DEFAULT_THRESHOLD_RATIO } as const;
  readonly #pause: () => Promise<void>;

  constructor({ pause = async () => {} }: StrategyOptions = {}) {
    this.#pause = pause;
  }

  async compress(context: CompressionContext): Promise<CompressionResult> {
    // Loaded late: without a model it is not needed.
    const { compressBySummary } = await import('./summarizing/compress.ts');
    return compressBySummary(context, { strategy: this.name, topRatio: TOP_RATIO, pause: this.#pause });
  }
}
