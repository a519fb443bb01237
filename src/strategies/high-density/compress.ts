import { pairGroups } from '../../content/calls/boundary.ts';
import { pairCalls } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { keyParameter } from '../../content/files/key-parameter.ts';
import { isPruned } from '../../content/pruned-result.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { CompressionContext, DensityEdit } from '../contract.ts';
import { dropOldestGroups } from '../drop-groups.ts';
import { countEdits } from '../reasons/edit-counts.ts';
import { preservedTail, wholeGroups } from '../tail.ts';
import { targetTokens } from '../threshold.ts';
import { askedPlainly } from './optimize-plainly.ts';
import type { Asked } from './repeated-lines/asked.ts';
import { mayHaveNotes } from './repeated-lines/line-notes.ts';
import { withRemovedTargets } from './repeated-lines/removed-targets.ts';
import { summarizeResponse } from './summary.ts';

/**
 * The history with each tool result before the tail as one line. If that misses the target, its oldest ai and tool groups
 * are removed too. Human entries, the tail and all pairs are kept; unchanged entries keep their identity. A note in the
 * tail whose lines are gone becomes these lines again.
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
