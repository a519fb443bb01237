/** Share of the context limit at which every strategy compresses unless a setting says otherwise (BR-THRESH-002, 003). */
export const DEFAULT_THRESHOLD_RATIO = 0.85;

/** Tokens to aim at after a compression. Source: REQ-HD-008.6, BR-THRESH-004. */
export function targetTokens(thresholdRatio: number, contextLimitTokens: number): number {
  return Math.floor(thresholdRatio * contextLimitTokens * 0.6);
}
