import { pairGroups } from '../../content/calls/boundary.ts';
import { isResultLeftAlone } from '../../content/calls/for-program.ts';
import { pairCalls } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { keyParameter } from '../../content/files/key-parameter.ts';
import { isPruned } from '../../content/pruned-result.ts';
import { vocabularyWith } from '../../content/tools/own-tools.ts';
import { llxprt } from '../../content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import {
  type CompressionContext,
  type CompressionResult,
  type CompressionStrategy,
  type DebugLogger,
  type DensityEdit,
  type DensityResult,
  KNOWN_ON_THREADS,
  type StrategyOptions,
} from '../contract.ts';
import { dropOldestGroups, preservedTail, wholeGroups } from '../kept-groups.ts';
import { countEdits } from '../reasons/edit-counts.ts';
import type { GivenDensityConfig } from '../settings/density-config.ts';
import { DEFAULT_THRESHOLD_RATIO, targetTokens } from '../threshold.ts';
import { DistinctCalls } from './distinct-calls.ts';
import { IncrementalOptimizer } from './incremental/incremental-optimizer.ts';
import { askedPlainly } from './optimize-plainly.ts';
import type { Asked } from './repeated-lines/asked.ts';
import { mayHaveNotes } from './repeated-lines/line-notes.ts';
import { withRemovedTargets } from './repeated-lines/removed-targets.ts';
import { retainedResults } from './rules/recency.ts';
import { SeenHistory } from './seen-history.ts';
import { summarizeResponse } from './summary.ts';

/**
 * The history with each tool result before the tail as one line. If that misses the target, its oldest ai and tool groups
 * are removed too. Human entries, the tail and all pairs are kept; unchanged entries keep their identity. A note in the
 * tail whose lines are gone becomes these lines again.
 * A history of short results may grow, so callers compare before they apply it. No model is asked.
 * Linear in entries.
 * Source: REQ-HD-008; docs/readings.md, rows 13 to 15.
 */
async function compressHistory(context: CompressionContext, vocabulary: ToolVocabulary): Promise<IContent[]> {
  const { history, estimateTokens, logger } = context;
  const { ephemerals } = context.runtimeContext;
  const pairing = pairCalls(history);
  const groups = pairGroups(history, pairing);
  const tail = preservedTail(groups, ephemerals.preserveThreshold());
  if (!tail.includes(0)) return [...history];

  const summarizedBlocks = new Map<number, ContentBlock[]>();
  for (const paired of pairing.responses) {
    const { entry, block, response, call } = paired;
    if (tail[entry] || history[entry]!.speaker !== 'tool' || isPruned(response.result)) continue;
    if (isResultLeftAlone(paired)) continue;
    const key = call === undefined ? undefined : keyParameter(call.call, vocabulary);
    const summarized = summarizeResponse(response, key);
    if (summarized === response) continue;
    const blocks = summarizedBlocks.get(entry) ?? history[entry]!.blocks.slice();
    blocks[block] = summarized;
    summarizedBlocks.set(entry, blocks);
  }
  const shortened = history.map((content, entry) => {
    const blocks = summarizedBlocks.get(entry);
    return blocks === undefined ? content : { ...content, blocks };
  });

  const target = targetTokens(ephemerals.compressionThreshold(), ephemerals.contextLimit());
  const estimatedTokens = await estimateTokens(shortened);
  logger.debug('High-density compression', { entries: history.length, target, estimatedTokens });
  const left = await dropOldestGroups(shortened, {
    groups,
    kept: wholeGroups(groups, (entry) => tail[entry] === 1 || history[entry]!.speaker === 'human'),
    excessTokens: estimatedTokens - target,
    estimateTokens,
  });
  const { workspaceRoot } = context.runtimeContext;
  return withNotedLines(left, { history, shortened, asked: askedPlainly({ workspaceRoot }, { vocabulary }) });
}

interface Compressed {
  readonly history: readonly IContent[];
  /** Each of its entries, shortened or as it was. */
  readonly shortened: readonly IContent[];
  readonly asked: Asked;
}

/** What is left of a history, and in it the lines of each note that names what is gone. Linear. */
function withNotedLines(left: IContent[], { history, shortened, asked }: Compressed): IContent[] {
  const isNoted = ({ blocks }: IContent): boolean =>
    blocks.some((block) => block.type === 'tool_response' && mayHaveNotes(block.result));
  if (!left.some(isNoted)) return left;
  const kept = new Set(left);
  const replaced = new Map<number, IContent>();
  const removals: number[] = [];
  const edits: DensityEdit[] = [];
  for (const [entry, content] of shortened.entries()) {
    if (!kept.has(content)) removals.push(entry);
    else if (content !== history[entry]) replaced.set(entry, content);
    else continue;
    const rule = kept.has(content) ? 'summarised' : 'dropped';
    for (const [block, before] of history[entry]!.blocks.entries()) {
      if (rule === 'summarised' && content.blocks[block] === before) continue;
      const kind = rule === 'summarised' ? 'replace' : 'remove';
      edits.push({ entry, block, kind, reason: { rule, strategy: 'high-density' } });
    }
  }
  const found = { removals, replacements: replaced, metadata: countEdits(edits), edits };
  const { replacements } = withRemovedTargets(found, { history, newFrom: history.length, asked });
  const placeOf = new Map(shortened.map((content, entry) => [content, entry]));
  return left.map((content) => replacements.get(placeOf.get(content)!) ?? content);
}

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
  readonly #seen = new SeenHistory();
  readonly #distinct = new DistinctCalls();
  #hasNoticedRetention = false;

  constructor(options: StrategyOptions = {}) {
    const { tools, logger, vocabulary: agent = llxprt } = options;
    this.vocabulary = tools === undefined ? agent : vocabularyWith(tools, agent);
    this.logger = logger;
    this.#optimizer = new IncrementalOptimizer({ ...options, vocabulary: this.vocabulary });
  }

  get [KNOWN_ON_THREADS](): true {
    return true;
  }

  /** Finds nothing in what the model does not see any more. Absent fields of `config` have the defaults of their settings. */
  optimize(history: readonly IContent[], config?: GivenDensityConfig): DensityResult {
    if (config?.recencyPruning && config.recencyRetention !== undefined) this.#noticeRetention(config.recencyRetention);
    const { entries, asGiven } = this.#distinct.of(this.#seen.of(history));
    return asGiven(this.#optimizer.optimize(entries, config));
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
