import type { CompressionContext, CompressionResult, CompressionStrategy, StrategyOptions } from './contract.ts';
import { DEFAULT_THRESHOLD_RATIO } from './threshold.ts';

/** Asks a model to summarise what is neither in the kept start nor in the tail. */
abstract class SummaryStrategy implements CompressionStrategy {
  abstract readonly name: string;
  readonly requiresLLM = true;
  readonly trigger = { mode: 'threshold', defaultThreshold: DEFAULT_THRESHOLD_RATIO } as const;
  /** Share of the entries at the start that is kept unchanged. */
  protected abstract readonly topRatio: number;
  readonly #pause: () => Promise<void>;

  constructor({ pause = async () => {} }: StrategyOptions = {}) {
    this.#pause = pause;
  }

  async compress(context: CompressionContext): Promise<CompressionResult> {
    // Loaded late: without a model it is not needed.
    const { compressBySummary } = await import('./summarizing/compress.ts');
    return compressBySummary(context, { strategy: this.name, topRatio: this.topRatio, pause: this.#pause });
  }
}

/**
 * Keeps the start and the end of the conversation, and asks a model to summarise the middle.
 * Source: REQ-HD-001.3, 001.4, 011, 012; docs/readings.md, rows 15, 17 and 21.
 */
export class MiddleOutStrategy extends SummaryStrategy {
  readonly name = 'middle-out';
  /** Source: docs/readings.md, row 15. */
  protected readonly topRatio = 0.2;
}

/**
 * Asks a model to summarise the whole conversation except its tail.
 * Source: REQ-HD-001.3, 001.4, 011, 012; docs/readings.md, rows 15, 17 and 21.
 */
export class OneShotStrategy extends SummaryStrategy {
  readonly name = 'one-shot';
  protected readonly topRatio = 0;
}
