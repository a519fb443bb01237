import { pairGroups } from '../content/calls/boundary.ts';
import {
  type CompressionContext,
  type CompressionResult,
  type CompressionStrategy,
  KNOWN_ON_THREADS,
} from './contract.ts';
import { dropOldestGroups, hasHumanWords, preservedTail, wholeGroups } from './kept-groups.ts';
import { DEFAULT_THRESHOLD_RATIO, targetTokens } from './threshold.ts';

/**
 * Drops the oldest entries, in whole groups of calls and results, until the target is met. The tail and the last human
 * entry are kept, so the target may be missed. Linear in entries. Source: REQ-HD-001.3; docs/readings.md, row 13.
 */
export class TopDownTruncationStrategy implements CompressionStrategy {
  readonly name = 'top-down-truncation';
  readonly requiresLLM = false;
  readonly trigger = { mode: 'threshold', defaultThreshold: DEFAULT_THRESHOLD_RATIO } as const;

  get [KNOWN_ON_THREADS](): true {
    return true;
  }

  async compress({ history, runtimeContext, estimateTokens }: CompressionContext): Promise<CompressionResult> {
    const { ephemerals } = runtimeContext;
    const groups = pairGroups(history);
    const tail = preservedTail(groups, ephemerals.preserveThreshold());
    const lastHuman = history.findLastIndex(hasHumanWords);
    const target = targetTokens(ephemerals.compressionThreshold(), ephemerals.contextLimit());
    const newHistory = await dropOldestGroups(history, {
      groups,
      kept: wholeGroups(groups, (entry) => tail[entry] === 1 || entry === lastHuman),
      excessTokens: (await estimateTokens(history)) - target,
      estimateTokens,
    });
    return {
      newHistory,
      metadata: {
        originalMessageCount: history.length,
        compressedMessageCount: newHistory.length,
        strategyUsed: this.name,
        llmCallMade: false,
      },
    };
  }
}
