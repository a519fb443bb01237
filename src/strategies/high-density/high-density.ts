import type { IContent } from '../../content/content.ts';
import { vocabularyWith } from '../../content/tools/own-tools.ts';
import { llxprt } from '../../content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import {
  type CompressionContext,
  type CompressionResult,
  type CompressionStrategy,
  type DebugLogger,
  type DensityResult,
  KNOWN_ON_THREADS,
  type StrategyOptions,
} from '../contract.ts';
import type { GivenDensityConfig } from '../settings/density-config.ts';
import { DEFAULT_THRESHOLD_RATIO } from '../threshold.ts';
import { compressHistory } from './compress.ts';
import { IncrementalOptimizer } from './incremental/incremental-optimizer.ts';
import { retainedResults } from './rules/recency.ts';

/**
 * Prunes before every send and summarises tool results at the threshold, without a model. An instance caches its findings
 * of the last history, so the next run over the same history costs O(changes). It logs an invalid `recencyRetention` once.
 * Source: REQ-HD-004 to 008.
 */
export class HighDensityStrategy implements CompressionStrategy {
  readonly name = 'high-density';
  readonly requiresLLM = false;
  readonly trigger = { mode: 'continuous', defaultThreshold: DEFAULT_THRESHOLD_RATIO } as const;
  readonly vocabulary: ToolVocabulary;
  /** Also gets the log lines of the strategy of this name on a thread. */
  readonly logger: DebugLogger | undefined;
  readonly #optimizer: IncrementalOptimizer;
  #hasNoticedRetention = false;

  constructor(options: StrategyOptions = {}) {
    const { tools, logger } = options;
    const { vocabulary: agent = llxprt } = options;
    const vocabulary = tools === undefined ? agent : vocabularyWith(tools, agent);
    this.vocabulary = vocabulary;
    this.logger = logger;
    this.#optimizer = new IncrementalOptimizer({ ...options, vocabulary });
  }

  get [KNOWN_ON_THREADS](): true {
    return true;
  }

  /** Absent fields of `config` have the defaults of their settings. */
  optimize(history: readonly IContent[], config?: GivenDensityConfig): DensityResult {
    if (config?.recencyPruning && config.recencyRetention !== undefined) this.#noticeRetention(config.recencyRetention);
    return this.#optimizer.optimize(history, config);
  }

  /** Gives back memory that the next run fills again: where each line of the history stands. */
  release(): void {
    this.#optimizer.release();
  }

  async compress(context: CompressionContext): Promise<CompressionResult> {
    const newHistory = await compressHistory(context, this.vocabulary);
    return {
      newHistory,
      metadata: {
        originalMessageCount: context.history.length,
        compressedMessageCount: newHistory.length,
        strategyUsed: this.name,
        llmCallMade: false,
      },
    };
  }

  #noticeRetention(recencyRetention: number): void {
    const retention = retainedResults(recencyRetention);
    if (retention === recencyRetention || this.#hasNoticedRetention) return;
    this.#hasNoticedRetention = true;
    this.logger?.debug(
      `Expected \`recencyRetention\` to be a whole number of at least 1, got \`${recencyRetention}\`; using ${retention}.`,
    );
  }
}
