import { promptDollars, savedDollars } from './account/saved-dollars.ts';
import { isCacheCold } from './cost-rules.ts';
import type {
  Candidate,
  Choice,
  CostRules,
  Decision,
  DecisionCause,
  DecisionState,
  WaitingConversation,
} from './decision.ts';
import { reasonOf } from './decision-reason.ts';
import { foundPrefixes } from './found-prefixes.ts';
import { ratesFor } from './prices.ts';

/**
 * What is written again must return so many times its cost: more edits may come, and then all are paid for once.
 * Chosen on 178 recorded sessions: from 1 to 1.5 the bills differ by at most 0.7 points, and with 1 more edits are regretted.
 */
const MIN_RETURN = 1.2;

/**
 * Which of the waiting edits apply before this send. The first changed entry decides what is written again, so only the
 * last edits can apply without the ones before them; the best such choice is taken, and none if none is expected to save
 * money, or if it costs more now than the account of the conversation can lose. Where a provider binds thinking, no edit
 * before thinking applies; without a price, none of what the cache may contain, unless the window is full. Linear in entries,
 * past calls and candidates.
 */
export function decide<Edit extends Candidate>(
  conversation: WaitingConversation,
  candidates: readonly Edit[],
  rules: CostRules,
): Decision<Edit> {
  const edits = [...candidates].sort((one, other) => one.at - other.at);
  const state = stateOf(conversation, rules);
  const isPriced = rules.price.match !== 'unknown';
  const firstUnbound = rules.cache.bindsThinking ? conversation.lastThinkingAt + 1 : 0;
  const firstPriced = isPriced || state.isCold || isFull(state) ? 0 : conversation.sentEntries;
  const choices = choicesOf(edits, state, Math.max(firstUnbound, firstPriced));
  const best = choices.reduce<Choice | undefined>(
    (found, choice) => (found === undefined || isBetter(choice, found) ? choice : found),
    undefined,
  );
  const applies = best?.isAffordable === true && best.margin > 0 && best.net > 0;
  const isBound = edits.length > 0 && edits.at(-1)!.at < firstUnbound;
  const cause = causeOf(state, { best, applies, waiting: edits.length, isBound });
  const apply = applies ? edits.slice(best.first) : [];
  const waitingTokens = edits.reduce((sum, { savedTokens }) => sum + savedTokens, 0);
  const reason = reasonOf(cause, { best, waiting: edits.length, waitingTokens, applied: apply.length, state });
  const changed = applies && { savedTokens: best.savedTokens, keptTokens: best.keptTokens };
  const [expectedNet, costNow] = applies && isPriced ? [best.net, best.costNow] : [0, 0];
  return { apply, cause, reason, expectedNet, costNow, ...(changed && { changed }) };
}

const isBetter = (one: Choice, other: Choice): boolean =>
  one.isAffordable === other.isAffordable ? one.margin > other.margin : one.isAffordable;

function stateOf(conversation: WaitingConversation, rules: CostRules): DecisionState {
  const { tokens, constantTokens, pendingTokens, sentEntries, idleMs, callsMade } = conversation;
  const tokensBefore: number[] = [constantTokens];
  let historyTokens = constantTokens;
  for (const count of tokens) {
    historyTokens += count;
    tokensBefore.push(historyTokens);
  }
  const promptTokens = historyTokens + pendingTokens;
  const wasSent = sentEntries > 0;
  const isCold = isCacheCold(conversation, rules.lifetimeMs);
  const sentTokens = tokensBefore[Math.min(sentEntries, tokens.length)]!;
  const cachedTokens = isCold || sentTokens < rules.cache.leastTokens ? 0 : sentTokens;
  const growthTokens = (historyTokens - constantTokens) / Math.max(1, callsMade);
  const foundBefore = foundPrefixes(conversation, tokensBefore, rules);
  const riskableDollars = Math.max(0, savedDollars(conversation.pastCalls, rules));
  const promptCost = promptDollars(rules, { promptTokens, cachedTokens });
  return {
    rules,
    promptTokens,
    promptCost,
    tokensBefore,
    foundBefore,
    cachedTokens,
    idleMs,
    wasSent,
    isCold,
    growthTokens,
    riskableDollars,
  };
}

/** True if the agent compresses now. */
const isFull = ({ rules, promptTokens }: DecisionState): boolean =>
  promptTokens >= (rules.thresholdTokens ?? Number.POSITIVE_INFINITY);

/** Every choice of the last edits, from the last one alone to all that are allowed. */
function choicesOf(edits: readonly Candidate[], state: DecisionState, firstAllowed: number): Choice[] {
  const choices: Choice[] = [];
  let savedTokens = 0;
  let savedCached = 0;
  for (let first = edits.length - 1; first >= 0; first--) {
    const { at, savedTokens: saved } = edits[first]!;
    if (at < firstAllowed) break;
    savedTokens += saved;
    if (state.tokensBefore[at]! < state.cachedTokens) savedCached += saved;
    // Edits of one entry belong together.
    if (first > 0 && edits[first - 1]!.at === at) continue;
    choices.push(choiceOf({ first, at, savedTokens, savedCached }, state));
  }
  return choices;
}

interface ChosenEdits extends Candidate {
  /** The first of the edits. */
  readonly first: number;
  /** Saved tokens that are in the cache now. */
  readonly savedCached: number;
}

function choiceOf({ first, at, savedTokens, savedCached }: ChosenEdits, state: DecisionState): Choice {
  const { rules, promptTokens, promptCost, foundBefore, cachedTokens, riskableDollars } = state;
  const { price } = rules;
  const { calls } = rules.furtherCalls;
  const found = foundBefore[at]!;
  const prefix = Math.min(cachedTokens, found);
  // A shorter prefix ends in the middle of a step, and no part of a step is found.
  const lost = found < cachedTokens ? rules.cache.stepTokens - 1 : 0;
  const kept = prefix < rules.cache.leastTokens ? 0 : prefix - lost;
  const smaller = promptTokens - savedTokens;
  const costNow = promptDollars(rules, { promptTokens: smaller, cachedTokens: kept }) - promptCost;
  const savedPerCall = (savedTokens * ratesFor(price, smaller).cachedRead) / 1e6;
  const tierNet = tierSaving(state, savedTokens);
  const roomNet = roomSaving(state, savedTokens);
  const gain = calls * savedPerCall + tierNet + roomNet;
  const net = gain - costNow;
  const margin = gain - (costNow > 0 ? MIN_RETURN : 1) * costNow;
  const rewrittenTokens = Math.max(0, cachedTokens - savedCached - kept);
  // At the threshold a compression is certain.
  const certain = isFull(state) ? roomNet : 0;
  const isAffordable = costNow - certain <= riskableDollars;
  return {
    first,
    savedTokens,
    keptTokens: found,
    rewrittenTokens,
    costNow,
    savedPerCall,
    net,
    margin,
    isAffordable,
    tierNet,
    roomNet,
  };
}

/** Dollars that the further calls save because fewer of them are above the limits of price tiers. */
function tierSaving({ rules, promptTokens, growthTokens }: DecisionState, savedTokens: number): number {
  const { calls } = rules.furtherCalls;
  const { tiers = [], base } = rules.price;
  let { cachedRead } = base;
  let dollars = 0;
  for (const { aboveTokens, rates } of tiers) {
    const below = (prompt: number): number =>
      Math.min(calls, Math.max(0, (aboveTokens - prompt) / Math.max(1, growthTokens)));
    const spared = below(promptTokens - savedTokens) - below(promptTokens);
    dollars += (spared * aboveTokens * (rates.cachedRead - cachedRead)) / 1e6;
    cachedRead = rates.cachedRead;
  }
  return dollars;
}

/** Tokens of a summary, and the share of a conversation that is kept beside it. Source: the defaults of `compression`. */
const SUMMARY_TOKENS = 4_000;
const KEPT_RATIO = 0.2;
/** What a compression is worth to avoid, in its own price: as much again for what is read and done again after it (assumed). */
const COMPRESSION_WORTH = 2;

/**
 * Dollars of the part of a compression that is avoided: a compression reads the conversation, writes a summary, and the
 * rest is cached again. It is expected only if the threshold is reached within the further calls.
 */
function roomSaving({ rules, promptTokens, growthTokens }: DecisionState, savedTokens: number): number {
  const { thresholdTokens, price, furtherCalls } = rules;
  const { calls } = furtherCalls;
  if (thresholdTokens === undefined) return 0;
  const growth = Math.max(1, growthTokens);
  if (promptTokens + calls * growth < thresholdTokens) return 0;
  const rates = ratesFor(price, thresholdTokens);
  const compression =
    (thresholdTokens * rates.cachedRead + SUMMARY_TOKENS * rates.output + KEPT_RATIO * thresholdTokens * rates.write) /
    1e6;
  // Above the threshold, edits that do not get below it postpone nothing.
  const over = Math.max(0, promptTokens - thresholdTokens);
  const postponedCalls = Math.max(0, savedTokens - over) / growth;
  return COMPRESSION_WORTH * compression * Math.min(1, postponedCalls / Math.max(1, calls));
}

function causeOf(
  { isCold, wasSent }: DecisionState,
  {
    best,
    applies,
    waiting,
    isBound,
  }: { best: Choice | undefined; applies: boolean; waiting: number; isBound: boolean },
): DecisionCause {
  if (waiting === 0) return 'none';
  if (best === undefined) return isBound ? 'bound' : 'unpriced';
  if (!applies) return 'costs';
  if (!wasSent || best.rewrittenTokens === 0) return isCold && wasSent ? 'cold' : 'unsent';
  if (isCold) return 'cold';
  const { margin, tierNet, roomNet } = best;
  if (margin - tierNet <= 0) return 'tier';
  return margin - roomNet <= 0 ? 'room' : 'pays';
}
