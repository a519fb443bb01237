import type { IContent } from '../../content/content.ts';
import { llxprt } from '../../content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
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
import { compressHistory } from './compress.ts';
import { HistoryDraft } from './draft.ts';
import { dedupeFileInclusions } from './file-dedupe.ts';
import { CarefulReads } from './incremental/careful-reads.ts';
import { CarriedResults } from './incremental/carried-results.ts';
import { HistoryIndex } from './incremental/history-index.ts';
import { ShownLines } from './incremental/shown-lines.ts';
import { pruneReads } from './read-write.ts';
import { pruneByRecency, retainedResults } from './recency.ts';
import { type RulesInForce, rulesInForce } from './rules-in-force.ts';

/** What stands from one run to the next while entries are only added and rules stay the same. */
interface Found {
  readonly inForce: RulesInForce;
  /** Of the index. */
  readonly cuts: number;
  readonly reads: CarefulReads;
  readonly carriedResults: CarriedResults;
  /** What was found last, and how much there was of what is always looked at as a whole. */
  result: DensityResult | undefined;
  wholeCount: number;
}

/** One for all, who may be asked about the same entries by different rules. */
const lines = new ShownLines();

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
  #found: Found | undefined;
  #hasNoticedRetention = false;

  constructor(options: StrategyOptions = {}) {
    const { vocabulary = llxprt, logger } = options;
    this.vocabulary = vocabulary;
    this.#index = new HistoryIndex(vocabulary, options);
    this.#logger = logger;
  }

  optimize(history: readonly IContent[], config: DensityConfig): DensityResult {
    const inForce = rulesInForce(config, this.#found?.inForce);
    const { rules, prunesStale, fileDedupe, recencyPruning } = inForce;
    const prunesReads = prunesStale || rules.supersededReads;
    const prunesCarried = rules.resultCalls > 0 || rules.carriedTokens > 0;
    if (prunesReads || prunesCarried || fileDedupe || recencyPruning) {
      this.#index.update(history, config.workspaceRoot, { includesShellWrites: rules.shellWrites });
    }
    const found = this.#foundBy(inForce);
    const { including, responses } = this.#index;
    const wholeCount = (fileDedupe ? including.length : 0) + (recencyPruning ? responses.entry.length : 0);
    const hasOtherReads = prunesReads && found.reads.decide();
    const hasOtherCarried = prunesCarried && found.carriedResults.takeIn();
    const isSame = !hasOtherReads && !hasOtherCarried && wholeCount === found.wholeCount;
    if (isSame && found.result !== undefined) return found.result;
    found.wholeCount = wholeCount;
    // Not what was found before, where a logger throws.
    found.result = undefined;
    found.result = this.#prune(new HistoryDraft(history), found);
    return found.result;
  }

  #prune(draft: HistoryDraft, { inForce, reads, carriedResults }: Found): DensityResult {
    const { fileDedupe, recencyPruning, recencyRetention, protection } = inForce;
    pruneReads(draft, this.#index, reads.decisions);
    if (fileDedupe) dedupeFileInclusions(draft, this.#index, protection);
    if (recencyPruning) {
      pruneByRecency(draft, this.#index, { retention: this.#retention(recencyRetention), protection });
    }
    carriedResults.prune(draft);
    return draft.result();
  }

  /** What was found by these rules, nothing once the history is not only longer than last time. */
  #foundBy(inForce: RulesInForce): Found {
    const { cuts } = this.#index;
    if (this.#found?.inForce === inForce && this.#found.cuts === cuts) return this.#found;
    const { vocabulary } = this;
    const reads = new CarefulReads(this.#index, { inForce, vocabulary, lines });
    const carriedResults = new CarriedResults(this.#index, inForce, vocabulary);
    this.#found = { inForce, cuts, reads, carriedResults, result: undefined, wholeCount: 0 };
    return this.#found;
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
