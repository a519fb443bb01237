/** Our estimates err by less, and so do recordings of requests that were pruned, or compacted by the server. */
const MOST_TIMES = 20;
/** Of less text, no factor says much. */
const LEAST_TOKENS = 1_000;

/** What a prompt may contain beside the text that we count: its system prompt and tools. */
const MOST_BESIDE_TOKENS = 100_000;

/** False for a prompt that a provider cannot have counted: by our count of its text it is more than twenty times as large, or as small. */
export const isPossiblePrompt = (reportedTokens: number, countedTokens: number): boolean =>
  (countedTokens < LEAST_TOKENS || reportedTokens * MOST_TIMES >= countedTokens) &&
  reportedTokens <= MOST_TIMES * (countedTokens + MOST_BESIDE_TOKENS);
