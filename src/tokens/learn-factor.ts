const LEARNING_RATE = 0.2;
const LARGEST_STEP = 0.15;
const SMALLEST_FACTOR = 0.5;
const LARGEST_FACTOR = 2;

/**
 * The factor for estimates of a model after another report: a moving average of reported by estimated tokens. One report
 * changes it by at most 0.15; it is between 0.5 and 2. A report without tokens changes nothing.
 * Source: docs/token-counting.md; rate, step and bounds of the Gemini CLI.
 */
export function learnFactor(factor: number, usage: { reportedTokens: number; estimatedTokens: number }): number {
  const ratio = usage.reportedTokens / usage.estimatedTokens;
  if (!(usage.estimatedTokens > 0) || !(ratio > 0) || !Number.isFinite(ratio)) return factor;
  const step = Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, LEARNING_RATE * (ratio - factor)));
  return Math.min(LARGEST_FACTOR, Math.max(SMALLEST_FACTOR, factor + step));
}
