/** Our estimates err by less, and so do recordings of requests that were pruned, or compacted by the server. */
const MOST_TIMES = 20;
/** Of less text, no factor says much. */
const LEAST_TOKENS = 1_000;

/** False for a prompt that a provider cannot have counted: our count of text that it contains is more than twenty times as large. */
export const isPossiblePrompt = (reportedTokens: number, countedTokens: number): boolean =>
  countedTokens < LEAST_TOKENS || reportedTokens * MOST_TIMES >= countedTokens;
