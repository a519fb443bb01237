import type { SentCall } from '../../economics/cache-miss.ts';
import type { PruneReport } from '../../live/contract.ts';
import type { LoggedCall } from '../call-log.ts';
import type { ReportedUsage } from '../contract.ts';
import { otherDollars, type PricedCall } from './priced-call.ts';

/** The call of the same conversation before. */
export interface LastCall extends SentCall {
  readonly startedAt: number;
  readonly savedTokens: number;
}

/** Dollars of one call against sending the original. */
export interface CallNet {
  readonly savedDollars: number;
  /** For cached text that was written again because earlier text changed. */
  readonly rewriteDollars: number;
}

interface NetFacts {
  readonly last: LastCall | undefined;
  /** True if nothing of the last call can be in the cache any more. */
  readonly isCold: boolean;
}

/**
 * What the same call without pruning would have cost more. The provider's usage says what was sent and read; what was left
 * out is estimated. The original would have been read from the cache where the call was: in an epoch of a warm
 * conversation, all that was sent before. A cache that the provider lost by itself counts against pruning there.
 */
export function callNet(call: LoggedCall, priced: PricedCall, facts: NetFacts): CallNet {
  return call.isShadow ? shadowNet(call, priced, facts) : sentNet(call, priced, facts);
}

const newlySaved = ({ report }: LoggedCall): number =>
  (report?.changed ?? []).reduce((sum, { savedTokens }) => sum + savedTokens, 0);

/** The tokens before the first shortened text are an estimate: so much less must be read that it surely was not. */
const SURE_RATIO = 1.25;

/** What earlier calls saved of what this call read: nothing where the cache ends before all that was shortened. */
function savedInCache(call: LoggedCall, { promptTokens, cachedTokens }: ReportedUsage): number {
  // Calls of earlier versions have no `sentTokens` and no `unchangedTokens`.
  const { savedTokens = 0, sentTokens = 0, unchangedTokens = 0 }: Partial<PruneReport> = call.report ?? {};
  const pruned = call.isShadow ? promptTokens - savedTokens : promptTokens;
  const isBefore = cachedTokens * sentTokens * SURE_RATIO < unchangedTokens * pruned;
  return isBefore ? 0 : savedTokens - newlySaved(call);
}

function sentNet(call: LoggedCall, priced: PricedCall, { last, isCold }: NetFacts): CallNet {
  const { usage, dollars } = priced;
  const { promptTokens, cachedTokens } = usage;
  const saved = call.report?.savedTokens ?? 0;
  const original = promptTokens + saved;
  const isRewrite = call.report?.isEpoch === true && last !== undefined && !isCold;
  if (!isRewrite) {
    const originalCached = cachedTokens === 0 ? 0 : cachedTokens + savedInCache(call, usage);
    const without = otherDollars(priced, { promptTokens: original, cachedTokens: originalCached });
    return { savedDollars: without - dollars, rewriteDollars: 0 };
  }
  const originalCached = Math.max(
    cachedTokens + saved - newlySaved(call),
    Math.min(original, last.promptTokens + last.savedTokens),
  );
  const without = otherDollars(priced, { promptTokens: original, cachedTokens: originalCached });
  // Without the change of earlier text, the same smaller prompt would have been read.
  const unchanged = Math.min(promptTokens, Math.max(cachedTokens, originalCached - saved));
  const smaller = otherDollars(priced, { promptTokens, cachedTokens: unchanged });
  const rewriteDollars = Math.max(0, dollars - smaller);
  return { savedDollars: without - dollars + rewriteDollars, rewriteDollars };
}

/** With `--shadow` the original was sent: what the pruned request would have cost less. */
function shadowNet(call: LoggedCall, priced: PricedCall, { isCold }: NetFacts): CallNet {
  const { report } = call;
  if (report?.isEpoch === true && !isCold) {
    const costNow = report.decision?.costNow ?? 0;
    return { savedDollars: Math.max(0, -costNow), rewriteDollars: Math.max(0, costNow) };
  }
  const saved = report?.savedTokens ?? 0;
  const { promptTokens, cachedTokens } = priced.usage;
  const pruned = {
    promptTokens: Math.max(0, promptTokens - saved),
    cachedTokens: cachedTokens - savedInCache(call, priced.usage),
  };
  return { savedDollars: priced.dollars - otherDollars(priced, pruned), rewriteDollars: 0 };
}
