import { pairGroups } from '../../content/calls/boundary.ts';
import { pairCalls } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { keyParameter } from '../../content/files/key-parameter.ts';
import { isPruned } from '../../content/pruned-result.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { CompressionContext } from '../contract.ts';
import { dropOldestGroups } from '../drop-groups.ts';
import { preservedTail, wholeGroups } from '../tail.ts';
import { targetTokens } from '../threshold.ts';
import { summarizeResponse } from './summary.ts';

/**
 * The history with each tool result before the tail as one line. If that misses the target, its oldest ai and tool groups
 * are removed too. Human entries, the tail and all pairs are kept; unchanged entries keep their identity.
 * A history of short results may grow, so callers compare before they apply it. No model is asked.
 * Linear in entries.
 * Source: REQ-HD-008; docs/readings.md, rows 13 to 15.
 */
export async function compressHistory(context: CompressionContext, vocabulary: ToolVocabulary): Promise<IContent[]> {
  const { history, estimateTokens, logger } = context;
  const { ephemerals } = context.runtimeContext;
  const pairing = pairCalls(history);
  const groups = pairGroups(history, pairing);
  const tail = preservedTail(groups, ephemerals.preserveThreshold());
  if (!tail.includes(0)) return [...history];

  const summarizedBlocks = new Map<number, ContentBlock[]>();
  for (const { entry, block, response, call } of pairing.responses) {
    if (tail[entry] || history[entry]!.speaker !== 'tool' || isPruned(response.result)) continue;
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
  return dropOldestGroups(shortened, {
    groups,
    kept: wholeGroups(groups, (entry) => tail[entry] === 1 || history[entry]!.speaker === 'human'),
    excessTokens: estimatedTokens - target,
    estimateTokens,
  });
}
