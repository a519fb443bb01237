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
import { type CarefulPrunings, pruneReadsByRules } from './careful-reads.ts';
import { pruneCarriedResults } from './carried-results.ts';
import { compressHistory } from './compress.ts';
import { HistoryDraft } from './draft.ts';
import { dedupeFileInclusions } from './file-dedupe.ts';
import { HistoryIndex } from './history-index.ts';
import { Protection } from './protection.ts';
import { ReadDecisions } from './read-decisions.ts';
import { pruneReadWritePairs } from './read-write.ts';
import { pruneByRecency, retainedResults } from './recency.ts';
import { ShownLines } from './shown-lines.ts';

const NOTHING_PRUNED = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };

function prunesAnything({ readWritePruning, fileDedupe, recencyPruning, rules }: DensityConfig): boolean {
  if (readWritePruning || fileDedupe || recencyPruning) return true;
  return rules !== undefined && (rules.supersededReads || rules.resultCalls > 0 || rules.carriedTokens > 0);
}

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
  #hasNoticedRetention = false;

  constructor({ vocabulary = llxprt, logger, fileAccess }: StrategyOptions = {}) {
    this.vocabulary = vocabulary;
    this.#index = new HistoryIndex(vocabulary, fileAccess);
    this.#logger = logger;
  }

  optimize(history: readonly IContent[], config: DensityConfig): DensityResult {
    const draft = new HistoryDraft(history);
    if (!prunesAnything(config)) return draft.result(NOTHING_PRUNED);
    const { rules } = config;
    this.#index.update(history, config.workspaceRoot, { seesShellWriters: rules?.shellWrites ?? false });
    const protection = rules && new Protection(rules, config.workspaceRoot);
    const careful = protection && this.#pruneReadsByRules(draft, config, protection);
    const readWritePairsPruned = careful
      ? careful.stale + careful.superseded
      : config.readWritePruning && !protection
        ? pruneReadWritePairs(draft, this.#index, this.#logger)
        : 0;
    const fileDeduplicationsPruned = config.fileDedupe ? dedupeFileInclusions(draft, this.#index, protection) : 0;
    const recencyPruned = config.recencyPruning
      ? pruneByRecency(draft, this.#index, { retention: this.#retention(config.recencyRetention), protection })
      : 0;
    const carriedPruned = this.#pruneCarriedResults(draft, config, protection);
    return draft.result({
      readWritePairsPruned,
      fileDeduplicationsPruned,
      recencyPruned: recencyPruned + carriedPruned + (careful?.cut ?? 0),
    });
  }

  #pruneReadsByRules(
    draft: HistoryDraft,
    { rules, readWritePruning, workspaceRoot }: DensityConfig,
    protection: Protection,
  ): CarefulPrunings | undefined {
    if (rules === undefined || !(readWritePruning || rules.supersededReads)) return undefined;
    return pruneReadsByRules(draft, this.#index, {
      rules,
      prunesStale: readWritePruning,
      protection,
      lines: this.#lines,
      decisions: this.#decisions,
      vocabulary: this.vocabulary,
      workspaceRoot,
      logger: this.#logger,
    });
  }

  #pruneCarriedResults(
    draft: HistoryDraft,
    { rules, workspaceRoot }: DensityConfig,
    protection: Protection | undefined,
  ): number {
    if (rules === undefined || protection === undefined) return 0;
    if (rules.resultCalls === 0 && rules.carriedTokens === 0) return 0;
    return pruneCarriedResults(draft, this.#index, { rules, protection, vocabulary: this.vocabulary, workspaceRoot });
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
