import type { IContent } from '../../../../content/content.ts';
import { callDollars } from '../../../../economics/bill.ts';
import { costRules } from '../../../../economics/cost-rules.ts';
import type { CostRules, Decision } from '../../../../economics/decision.ts';
import type { Session } from '../../../../formats/contract.ts';
import { knownCalls } from '../../../../lab/known-calls.ts';
import { recordedCalls } from '../../../../lab/recorded-bill.ts';

import { answersIn, weigh } from '../../../../pruning/pruning-decision.ts';
import { recordedLifetimeMs } from '../../../../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf } from '../../../../sessions/constant-tokens.ts';
import { contextSize } from '../../../../sessions/context-size.ts';
import { withPossibleUsage } from '../../../../sessions/possible-usage.ts';
import { blockCounter, entryCounter } from '../../../../tokens/entries/block-counter.ts';

/** The prompt of the next call, and what its input costs. */
export interface ResumedPrompt {
  readonly tokens: number;
  readonly cachedTokens: number;
  /** US dollars at list prices; undefined for a model without a price. */
  readonly dollars: number | undefined;
}

/** What it costs to go on from a session now, as it is and pruned. */
export interface ResumeCost {
  readonly model: string;
  /** Since the last model call; undefined if the session has no times. */
  readonly idleMs: number | undefined;
  /** `expired`: surely; `probably expired`: longer unused than prefixes are kept by default. A session without times counts as `warm`. */
  readonly cache: 'warm' | 'probably expired' | 'expired';
  readonly asItIs: ResumedPrompt;
  readonly pruned: ResumedPrompt;
  /** Whether pruning pays; `unsent` or `cold`: it costs nothing. */
  readonly decision: Decision;
  /** What the dollars depend on. */
  readonly rules: CostRules;
}

interface ResumeFacts {
  readonly session: Session;
  /** The name of the session's format. */
  readonly agent: string;
  readonly model: string;
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
  readonly nowMs: number;
}

const HOUR_MS = 60 * 60_000;

function firstChange(before: readonly IContent[], after: readonly IContent[]): number {
  const at = before.findIndex((entry, index) => entry !== after[index]);
  return at < 0 ? before.length : at;
}

function prompt(tokens: number, cached: number, { price, cache, lifetimeMs }: CostRules): ResumedPrompt {
  const cachedTokens = cached < cache.leastTokens ? 0 : cached;
  const written = tokens - cachedTokens;
  const isHour = lifetimeMs >= HOUR_MS;
  const dollars = callDollars(price, {
    cachedTokens,
    writtenTokens: isHour ? 0 : written,
    writtenHourTokens: isHour ? written : 0,
    uncachedTokens: 0,
    outputTokens: 0,
  });
  return { tokens, cachedTokens, dollars: price.match === 'unknown' ? undefined : dollars };
}

/**
 * The cost of the next call of a session that its agent resumes. The provider's own count of the last prompt is taken
 * where it is recorded. Linear.
 */
export function resumeCost({ session: recorded, agent, model, before, after, nowMs }: ResumeFacts): ResumeCost {
  const countBlock = blockCounter(model);
  const tokensOf = entryCounter(model, countBlock);
  const { session } = withPossibleUsage(recorded, tokensOf);
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  const tokens = before.map(tokensOf);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const savedTokens = sum(tokens) - sum(after.map(tokensOf));
  const calls = recordedCalls(session);
  const lastMs =
    calls.at(-1)?.atMs ?? before.findLast(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp;
  const idleMs = lastMs === undefined ? undefined : Math.max(0, nowMs - lastMs);
  const callsMade = calls.length || answersIn(before);
  const terms = { model, agent, lifetimeMs: recordedLifetimeMs(session), atMs: nowMs };
  const rules = costRules({ ...terms, callsMade });
  const at = firstChange(before, after);
  const sentEntries = before.findLastIndex(({ speaker }) => speaker === 'ai') + 1;
  const pastCalls = knownCalls(session, { tokensOf, constantTokens });
  const decision = weigh(
    savedTokens > 0 ? [{ at, savedTokens }] : [],
    { history: before, tokens, constantTokens, pendingTokens: 0, sentEntries, idleMs, callsMade, pastCalls },
    terms,
  );
  const isCold = idleMs !== undefined && idleMs >= rules.lifetimeMs;
  const counted = sum(tokens);
  const all = calls.length === 0 ? constantTokens + counted : contextSize(session, tokensOf, counted).tokens;
  const cachedOf = (entries: number): number => (isCold ? 0 : Math.max(0, all - sum(tokens.slice(entries))));
  const isSurelyCold = isCold && idleMs >= Math.max(rules.lifetimeMs, rules.cache.longestMs);
  return {
    model,
    idleMs,
    cache: isSurelyCold ? 'expired' : isCold ? 'probably expired' : 'warm',
    asItIs: prompt(all, cachedOf(sentEntries), rules),
    pruned: prompt(Math.max(0, all - savedTokens), cachedOf(Math.min(at, sentEntries)), rules),
    decision,
    rules,
  };
}
