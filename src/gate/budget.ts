/** Source: docs/history-service.md, "Strategies and gate". */
const DEFAULT_COMPLETION_TOKENS = 65_536;
const SAFETY_MARGIN_TOKENS = 1_000;
/** A margin of more than this share of a small window would make it useless. */
const LARGEST_MARGIN_RATIO = 0.05;

/** How the context window is shared out, in tokens. */
export interface Budget {
  readonly contextLimitTokens: number;
  /** At this many, pending ones included, the history is compressed. */
  readonly thresholdTokens: number;
  /** Kept free for the answer. */
  readonly completionTokens: number;
  readonly marginTokens: number;
  /** What a prompt may take at most, pending tokens included. */
  readonly hardLimitTokens: number;
}

/** The budget of a window; the completion never takes more than half of it (docs/readings.md, row 16). */
export function budgetOf({
  contextLimitTokens,
  thresholdRatio,
  completionTokens = DEFAULT_COMPLETION_TOKENS,
}: {
  contextLimitTokens: number;
  thresholdRatio: number;
  completionTokens?: number | undefined;
}): Budget {
  const completion = Math.min(completionTokens, Math.floor(contextLimitTokens / 2));
  const margin = Math.min(SAFETY_MARGIN_TOKENS, Math.floor(contextLimitTokens * LARGEST_MARGIN_RATIO));
  return {
    contextLimitTokens,
    thresholdTokens: thresholdRatio * contextLimitTokens,
    completionTokens: completion,
    marginTokens: margin,
    hardLimitTokens: contextLimitTokens - completion - margin,
  };
}
