import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { DensityResult, Ephemerals } from '../../strategies/contract.ts';

/** Default lifetime of a prompt cache. Source: Anthropic and OpenAI, prompt caching, 2025. */
const CACHE_MINUTES = 5;
/** Above this share of the threshold, waiting would cause a compression. */
const NEAR_THRESHOLD_RATIO = 0.9;
/**
 * Waiting edits are applied once they remove this share of the tokens after the first edit. Source: bench/fidelity, the
 * frontier. A cache write costs 2 instead of 1.25 for a longer lifetime; a cache hit costs 0.1.
 */
const leastBatchRatio = (cacheMs: number): number => (cacheMs > CACHE_MINUTES * 60_000 ? 0.5 * (1.9 / 1.15) : 0.5);

/** Pruning a smaller history saves nothing. Source: bench/fidelity, the sets with short sessions. */
const SMALL_HISTORY_TOKENS = 32_000;
/** Most shorter sessions end before the 23 calls that the smallest batch needs to pay off: 1.15 s / (0.1 × 0.5 s). */
const LEAST_CALLS = 12;

/** What is known when edits could be applied. */
export interface PruningMoment {
  /** Tokens that the edits would remove. */
  readonly waitingTokens: number;
  /** Tokens from the first edit to the end of the last send: the provider would have to cache them again. */
  readonly rebilledTokens: number;
  /** Tokens of the history before the edits. */
  readonly historyTokens: number;
  /** Model calls whose answers the history contains. */
  readonly answeredCalls: number;
  /** Tokens of the next send. */
  readonly totalTokens: number;
  readonly thresholdTokens: number;
  /** Milliseconds since the last send; `undefined` when there was none. */
  readonly idleMs: number | undefined;
  /** Lifetime of the prompt cache. */
  readonly cacheMs: number;
}

/** Lifetime of the prompt cache in milliseconds, by the settings in force. */
export const cacheMsOf = (ephemerals: Ephemerals): number =>
  (ephemerals.densityCacheMinutes?.() ?? CACHE_MINUTES) * 60_000;

/** True if applying now saves more than it costs: the cache is lost, the threshold is near, or the edits remove enough of a large history. */
export function pruningPays(moment: PruningMoment): boolean {
  const { waitingTokens, rebilledTokens, historyTokens, totalTokens, thresholdTokens, idleMs } = moment;
  if (idleMs === undefined || idleMs >= moment.cacheMs) return true;
  if (totalTokens >= NEAR_THRESHOLD_RATIO * thresholdTokens) return true;
  if (historyTokens < SMALL_HISTORY_TOKENS || moment.answeredCalls < LEAST_CALLS) return false;
  return waitingTokens >= leastBatchRatio(moment.cacheMs) * rebilledTokens;
}

/** Waiting edits are weighed before each call, and entries are immutable. */
const textLengths = new WeakMap<IContent, number>();

function textLength(entry: IContent): number {
  const known = textLengths.get(entry);
  if (known !== undefined) return known;
  let length = 0;
  for (const block of entry.blocks) for (const text of blockTexts(block)) length += text.length;
  textLengths.set(entry, length);
  return length;
}

/**
 * The tokens that a result would remove, and those that it would make the provider bill again. `tokens` has the count of
 * each entry; the first `sentEntries` of them were in the last send. A replacement's tokens are estimated by its length.
 */
export function pruningWeight(
  history: readonly IContent[],
  { removals, replacements }: Pick<DensityResult, 'removals' | 'replacements'>,
  { tokens, sentEntries }: { tokens: readonly number[]; sentEntries: number },
): Pick<PruningMoment, 'waitingTokens' | 'rebilledTokens'> {
  let first = history.length;
  let waitingTokens = 0;
  for (const index of removals) {
    first = Math.min(first, index);
    waitingTokens += tokens[index] ?? 0;
  }
  for (const [index, replacement] of replacements) {
    first = Math.min(first, index);
    const units = textLength(history[index]!);
    const keptRatio = units === 0 ? 1 : Math.min(1, textLength(replacement) / units);
    waitingTokens += Math.round((tokens[index] ?? 0) * (1 - keptRatio));
  }
  return { waitingTokens, rebilledTokens: Math.max(0, sumBetween(tokens, first, sentEntries) - waitingTokens) };
}

function sumBetween(tokens: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let index = from; index < to; index++) sum += tokens[index] ?? 0;
  return sum;
}

/** The size of a history. `tokens` has the count of each entry. */
export function historySize(
  history: readonly IContent[],
  tokens: readonly number[],
): Pick<PruningMoment, 'historyTokens' | 'answeredCalls'> {
  return {
    historyTokens: tokens.reduce((sum, count) => sum + count, 0),
    answeredCalls: history.reduce((count, { speaker }) => (speaker === 'ai' ? count + 1 : count), 0),
  };
}
