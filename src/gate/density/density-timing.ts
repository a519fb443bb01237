import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { DensityResult, Ephemerals } from '../../strategies/contract.ts';

/** What providers keep a prefix for when it is not asked for longer. Source: Anthropic and OpenAI, prompt caching, 2025. */
const CACHE_MINUTES = 5;
/** Above this share of the threshold waiting costs a compression. */
const NEAR_THRESHOLD_RATIO = 0.9;
/**
 * What waits is applied once it is so much of the tokens behind its first change. Source: bench/fidelity, the frontier;
 * a longer cache charges 2 instead of 1.25 for what it takes in anew, where a cached token costs 0.1.
 */
const leastBatchRatio = (cacheMs: number): number => (cacheMs > CACHE_MINUTES * 60_000 ? 0.5 * (1.9 / 1.15) : 0.5);

/** A smaller history gains nothing from losing something. Source: bench/fidelity, the sets with short sessions. */
const SMALL_HISTORY_TOKENS = 32_000;
/** A younger session seldom lasts the 23 calls after which the smallest batch has paid for itself: 1.15 s / (0.1 × 0.5 s). */
const LEAST_CALLS = 12;

/** What is known when prunings could be applied. */
export interface PruningMoment {
  /** Tokens that would go. */
  readonly waitingTokens: number;
  /** Tokens from the first change to the end of what was sent last: the provider would have to take them in anew. */
  readonly rebilledTokens: number;
  /** Tokens of the history as it is. */
  readonly historyTokens: number;
  /** Model calls whose answers are in it. */
  readonly answeredCalls: number;
  /** Tokens of the next send. */
  readonly totalTokens: number;
  readonly thresholdTokens: number;
  /** Milliseconds since the last send; `undefined` when there was none. */
  readonly idleMs: number | undefined;
  /** Milliseconds after which what was sent is no longer cached. */
  readonly cacheMs: number;
}

/** Milliseconds for which the provider keeps what was sent, by the settings in force. */
export const cacheMsOf = (ephemerals: Ephemerals): number =>
  (ephemerals.densityCacheMinutes?.() ?? CACHE_MINUTES) * 60_000;

/** Whether applying now costs less than it saves: nothing is cached, the threshold is near, or enough waits of much. */
export function pruningPays(moment: PruningMoment): boolean {
  const { waitingTokens, rebilledTokens, historyTokens, totalTokens, thresholdTokens, idleMs } = moment;
  if (idleMs === undefined || idleMs >= moment.cacheMs) return true;
  if (totalTokens >= NEAR_THRESHOLD_RATIO * thresholdTokens) return true;
  if (historyTokens < SMALL_HISTORY_TOKENS || moment.answeredCalls < LEAST_CALLS) return false;
  return waitingTokens >= leastBatchRatio(moment.cacheMs) * rebilledTokens;
}

/** What waits is weighed before each call, and entries are immutable. */
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
 * What a result would take away and what it would have billed anew. `tokens` are those of each entry, of which the
 * first `sentEntries` were sent last time; what is left of a replaced entry is estimated by its length.
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

/** How much a history is, of `tokens` for each entry. */
export function historySize(
  history: readonly IContent[],
  tokens: readonly number[],
): Pick<PruningMoment, 'historyTokens' | 'answeredCalls'> {
  return {
    historyTokens: tokens.reduce((sum, count) => sum + count, 0),
    answeredCalls: history.reduce((count, { speaker }) => (speaker === 'ai' ? count + 1 : count), 0),
  };
}
