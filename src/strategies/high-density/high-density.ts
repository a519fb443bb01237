import type { IContent } from '../../content/content.ts';
import { llxprt } from '../../content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DebugLogger,
  DensityConfig,
  DensityResult,
  StrategyOptions,
} from '../contract.ts';
import { DEFAULT_THRESHOLD_RATIO } from '../threshold.ts';
import { CarriedResults } from './carried-results.ts';
import { compressHistory } from './compress.ts';
import { HistoryDraft } from './draft.ts';
import { dedupeFileInclusions } from './file-dedupe.ts';
import { HistoryIndex } from './history-index.ts';
import { ReadDecisions } from './read-decisions.ts';
import { NO_READS, pruneReads } from './read-write.ts';
import { pruneByRecency, retainedResults } from './recency.ts';
import { type RulesInForce, rulesInForce } from './rules-in-force.ts';
import { ShownLines } from './shown-lines.ts';

/**
 * Prunes before every send and summarises tool results at the threshold, without a model. One instance remembers what
 * it found in the entries of the history it saw last, so that the next run over the same one costs what changed, and
 * logs an odd `recencyRetention` once. Source: REQ-HD-004 to 008.
 */
export class HighDensityStrategy implements CompressionStrategy {
  readonly name = 'high-density';
  readonly requiresLLM = false;
  readonly trigger = { mode: 'continuous', defaultThreshold: DEFAULT_THRESHOLD_RATIO } as const;
  readonly vocabulary: ToolVocabulary;
  readonly #logger: DebugLogger | undefined;
  readonly #index: HistoryIndex;
  readonly #lines = new ShownLines();
  readonly #decisions = new ReadDecisions();
  readonly #carried: CarriedResults;
  #inForce: RulesInForce | undefined;
  #hasNoticedRetention = false;

  constructor(options: StrategyOptions = {}) {
    const { vocabulary = llxprt, logger } = options;
    this.vocabulary = vocabulary;
    this.#index = new HistoryIndex(vocabulary, options);
    this.#carried = new CarriedResults(vocabulary);
    this.#logger = logger;
  }

  optimize(history: readonly IContent[], config: DensityConfig): DensityResult {
    const inForce = rulesInForce(config, this.#inForce);
    this.#inForce = inForce;
    const { rules, prunesStale, protection } = inForce;
    const prunesReads = prunesStale || rules.supersededReads;
    const prunesCarried = rules.resultCalls > 0 || rules.carriedTokens > 0;
    const draft = new HistoryDraft(history);
    if (prunesReads || prunesCarried || config.fileDedupe || config.recencyPruning) {
      this.#index.update(history, config.workspaceRoot, { seesShellWriters: rules.shellWrites });
    }
    const reads = prunesReads
      ? pruneReads(draft, this.#index, {
          inForce,
          decisions: this.#decisions,
          lines: this.#lines,
          vocabulary: this.vocabulary,
        })
      : NO_READS;
    const inclusions = config.fileDedupe ? dedupeFileInclusions(draft, this.#index, protection) : 0;
    const old = config.recencyPruning
      ? pruneByRecency(draft, this.#index, { retention: this.#retention(config.recencyRetention), protection })
      : 0;
    const carried = prunesCarried ? this.#carried.prune(draft, this.#index, inForce) : 0;
    return draft.result({
      readWritePairsPruned: reads.stale + reads.superseded,
      fileDeduplicationsPruned: inclusions,
      recencyPruned: old + carried + reads.cut,
    });
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

  #retention(recencyRetention: number): number {
    const retention = retainedResults(recencyRetention);
    if (retention !== recencyRetention && !this.#hasNoticedRetention) {
      this.#hasNoticedRetention = true;
      this.#logger?.debug(
        `Expected \`recencyRetention\` to be a whole number of at least 1, got \`${recencyRetention}\`; using ${retention}.`,
      );
    }
    return retention;
  }
}
