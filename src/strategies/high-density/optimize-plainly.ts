import type { IContent } from '../../content/content.ts';
import { vocabularyWithListed } from '../../content/tools/own-tools.ts';
import type { DensityResult } from '../contract.ts';
import type { GivenDensityConfig } from '../settings/density-config.ts';
import { HistoryDraft } from './draft.ts';
import { replaceCarriedResults } from './rules/carried-results.ts';
import { type FileCallOptions, fileCalls } from './rules/file-call.ts';
import { pruneReads } from './rules/prune-reads.ts';
import { replaceOldResults } from './rules/recency.ts';
import { cutRepeatedInclusions, entriesWithInclusions } from './rules/repeated-inclusions.ts';
import { prunesCarried, prunesReads, rulesInForce } from './rules-in-force.ts';

/**
 * The edits of the current rules. Each rule is one pass over the history after the rules before it (docs/readings.md,
 * row 3). Nothing is cached between runs: `IncrementalOptimizer` returns equal results faster.
 */
export function optimizePlainly(
  history: readonly IContent[],
  config: GivenDensityConfig | undefined,
  options: FileCallOptions,
): DensityResult {
  const inForce = rulesInForce(config, undefined);
  const vocabulary = vocabularyWithListed(inForce.rules.tools, options.vocabulary);
  const draft = new HistoryDraft(history);
  const calls =
    prunesReads(inForce) || prunesCarried(inForce) ? fileCalls(history, inForce, { ...options, vocabulary }) : [];
  if (prunesReads(inForce)) pruneReads(draft, calls, { inForce, vocabulary });
  if (inForce.fileDedupe) cutRepeatedInclusions(draft, entriesWithInclusions(history, inForce.workspaceRoot), inForce);
  if (inForce.recencyPruning) replaceOldResults(draft, [...history.keys()], inForce);
  if (prunesCarried(inForce)) replaceCarriedResults(draft, calls, { inForce, vocabulary });
  return draft.result();
}
