/** Source: docs/history-service.md, "Strategies and gate". */
const DEFAULT_COMPLETION_TOKENS = 65_536;
const SAFETY_MARGIN_TOKENS = 1_000;
/** A larger share of a small window would make the window useless. */
const LARGEST_MARGIN_RATIO = 0.05;

/** How the context window is divided, in tokens. */
export interface Budget {
  readonly contextLimitTokens: number;
  /** The history is compressed when it reaches this, pending tokens included. */
  readonly thresholdTokens: number;
  /** Reserved for the answer. */
  readonly completionTokens: number;
  readonly marginTokens: number;
  /** The largest prompt, pending tokens included. */
  readonly hardLimitTokens: number;
}

/** The budget of a window. The completion gets at most half of it (docs/readings.md, row 16). */
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
