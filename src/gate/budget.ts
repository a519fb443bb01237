import { maxOutputOfModel } from '../tokens/models.ts';

/** For a model whose longest answer is not known: twice the longest of the 1,200 answers in the recordings, 7,998 tokens. */
const UNKNOWN_COMPLETION_TOKENS = 16_384;
/** No larger share of the window is reserved by default, so that the threshold is reached before the limit. */
const LARGEST_DEFAULT_RATIO = 0.1;
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

/**
 * The budget of a window. `completionTokens` of a host count up to half of it (docs/readings.md, row 16); absent: the
 * longest answer of the model, up to a tenth of the window (row 41).
 */
export function budgetOf({
  contextLimitTokens,
  thresholdRatio,
  completionTokens,
  model,
}: {
  contextLimitTokens: number;
  thresholdRatio: number;
  completionTokens?: number | undefined;
  model: string;
}): Budget {
  const wanted = completionTokens ?? maxOutputOfModel(model) ?? UNKNOWN_COMPLETION_TOKENS;
  const largestRatio = completionTokens === undefined ? LARGEST_DEFAULT_RATIO : 0.5;
  const completion = Math.min(wanted, Math.floor(contextLimitTokens * largestRatio));
  const margin = Math.min(SAFETY_MARGIN_TOKENS, Math.floor(contextLimitTokens * LARGEST_MARGIN_RATIO));
  return {
    contextLimitTokens,
    thresholdTokens: thresholdRatio * contextLimitTokens,
    completionTokens: completion,
    marginTokens: margin,
    hardLimitTokens: contextLimitTokens - completion - margin,
  };
}
