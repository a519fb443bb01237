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

/** What stands from one run to the next while entries are only added and rules stay the same. */
interface Found {
  readonly inForce: RulesInForce;
  /** Of the index. */
  readonly cuts: number;
  readonly decisions: ReadDecisions;
  readonly carriedResults: CarriedResults;
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
    const { rules, prunesStale, protection } = inForce;
    const prunesReads = prunesStale || rules.supersededReads;
    const prunesCarried = rules.resultCalls > 0 || rules.carriedTokens > 0;
    const draft = new HistoryDraft(history);
    if (prunesReads || prunesCarried || config.fileDedupe || config.recencyPruning) {
      this.#index.update(history, config.workspaceRoot, { seesShellWriters: rules.shellWrites });
    }
    const { decisions, carriedResults } = this.#foundBy(inForce);
    const { vocabulary } = this;
    const reads = prunesReads
      ? pruneReads(draft, this.#index, { inForce, decisions, lines: this.#lines, vocabulary })
      : NO_READS;
    const inclusions = config.fileDedupe ? dedupeFileInclusions(draft, this.#index, protection) : 0;
    const old = config.recencyPruning
      ? pruneByRecency(draft, this.#index, { retention: this.#retention(config.recencyRetention), protection })
      : 0;
    const carried = prunesCarried ? carriedResults.prune(draft, this.#index) : 0;
    return draft.result({
      readWritePairsPruned: reads.pairs,
      fileDeduplicationsPruned: inclusions,
      recencyPruned: old + carried + reads.cut,
    });
  }

  /** What was found by these rules, nothing once the history is not only longer than last time. */
  #foundBy(inForce: RulesInForce): Found {
    const { cuts } = this.#index;
    if (this.#found?.inForce === inForce && this.#found.cuts === cuts) return this.#found;
    const carriedResults = new CarriedResults(inForce, this.vocabulary);
    this.#found = { inForce, cuts, decisions: new ReadDecisions(), carriedResults };
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
