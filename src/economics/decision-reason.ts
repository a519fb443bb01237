import { counted } from '../content/counted.ts';
import { MINUTE_MS } from '../durations.ts';
import type { Choice, DecisionCause, DecisionState } from './decision.ts';
import { noPriceOf } from './models/missing-price.ts';
import type { ModelPrice } from './prices.ts';

interface ReasonParts {
  readonly best: Choice | undefined;
  readonly waiting: number;
  /** The tokens that all waiting edits save. */
  readonly waitingTokens: number;
  readonly applied: number;
  readonly state: DecisionState;
}

/** `14.2k`, `320`. */
const shortTokens = (tokens: number): string => {
  const rounded = Math.round(tokens);
  if (rounded < 1000) return String(rounded);
  if (rounded < 99_950) return `${(rounded / 1000).toFixed(1).replace(/\.0$/, '')}k`;
  return rounded < 999_500 ? `${Math.round(rounded / 1000)}k` : `${(rounded / 1e6).toFixed(1)}M`;
};

/** `14.2k tokens`, `1 token`. */
const tokensOf = (tokens: number): string => `${shortTokens(tokens)} ${Math.round(tokens) === 1 ? 'token' : 'tokens'}`;

/** The next limit of a price tier above a prompt. */
const limitAbove = (promptTokens: number, { tiers = [] }: ModelPrice): number =>
  (tiers.find(({ aboveTokens }) => promptTokens <= aboveTokens) ?? tiers.at(-1))?.aboveTokens ?? 0;

const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;

/** In the largest unit that gives at least two. */
function pause(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 2 * 60) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 2 * 24 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

/** Why a decision is what it is, as one sentence for a person. */
export function reasonOf(cause: DecisionCause, { best, waiting, waitingTokens, applied, state }: ReasonParts): string {
  if (best === undefined) {
    if (cause === 'none') return 'nothing to remove';
    const removing = `removing ${tokensOf(waitingTokens)}`;
    return cause === 'unpriced'
      ? `waits: ${noPriceOf(state.rules.model)}, and ${removing} may change what its cache has`
      : `waits: ${removing} would invalidate the thinking of later answers`;
  }
  const saved = tokensOf(best.savedTokens);
  const isPart = applied < waiting;
  const removes = `removes ${isPart ? `${shortTokens(best.savedTokens)} of ${tokensOf(waitingTokens)}` : saved}`;
  const cached = shortTokens(best.rewrittenTokens);
  const rewritten = `${cached} cached ${cached === '1' ? 'token' : 'tokens'}`;
  switch (cause) {
    case 'unsent':
      return `${removes}: no cache contains them yet`;
    case 'cold':
      return `${removes}: the cache has expired${state.idleMs === undefined ? '' : ` after ${pause(state.idleMs)}`}, so that costs nothing`;
    case 'tier':
      return `${removes}: that keeps the prompt under the price limit of ${shortTokens(limitAbove(state.promptTokens - best.savedTokens, state.rules.price))}`;
    case 'room':
      return `${removes}: that postpones a compression, which costs more than rewriting ${rewritten}`;
    case 'pays':
      return `${removes}: that pays for rewriting ${rewritten} ${best.costNow > 0 ? `after ${paidAfter(best)}` : 'at once'}`;
    default: {
      const rewrites = `removing ${saved} would rewrite ${rewritten}`;
      if (state.rules.price.match === 'unknown') return `waits: ${noPriceOf(state.rules.model)}, and ${rewrites}`;
      if (best.margin > 0) {
        return `waits: ${rewrites}; that costs ${dollars(best.costNow)} more now, and pruning has saved ${dollars(state.riskableDollars)} here so far`;
      }
      return `waits: ${rewrites}; that pays after ${paidAfter(best)}, and ${expectedCalls(state)} expected`;
    }
  }
}

/** `only 23 calls are`, `no further call is`. */
function expectedCalls({ rules }: DecisionState): string {
  const calls = Math.round(rules.furtherCalls.calls);
  if (calls === 0) return 'no further call is';
  return `only ${counted(calls, 'call')} ${calls === 1 ? 'is' : 'are'}`;
}

/** Further calls until a choice has paid for what it rewrites. */
function paidAfter({ costNow, savedPerCall }: Choice): string {
  const needed = savedPerCall <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(costNow / savedPerCall));
  return Number.isFinite(needed) ? counted(needed, 'more call') : 'no number of calls';
}
