import { HOUR_MS } from '../durations.ts';
import type { BilledTokens } from '../economics/bill.ts';
import { isExpiry } from '../economics/cache-miss.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { PauseLengths, RECORDED_PAUSES } from '../economics/warm/pause-lengths.ts';
import { type WarmWorth, warmWorth } from '../economics/warm/warm-worth.ts';
import type { RecordedCall } from './recorded-bill.ts';

/** What pings would have done in the recorded calls of a session; simulated. `undefined` if its provider is not known to renew a cache that is read. */
export function recordedWarmWorth(calls: readonly RecordedCall[]): WarmWorth | undefined {
  const renews = calls.every(({ model, price }) => price.match !== 'unknown' && cacheRuleOf(model).marks !== undefined);
  if (calls.length === 0 || !renews) return undefined;
  let isHour = false;
  const paused = calls.map((call, at) => {
    const { atMs, parts, price, model, usage, misses, wait } = call;
    const beforeMs = calls[at - 1]?.atMs;
    isHour ||= (usage.writtenHourTokens ?? 0) > 0;
    const expired = typeof misses === 'string' ? undefined : misses.find(({ cause }) => isExpiry(cause));
    return {
      idleMs: atMs === undefined || beforeMs === undefined ? undefined : atMs - beforeMs,
      tokens: tokensOf(parts),
      price,
      lifetimeMs: isHour ? HOUR_MS : cacheRuleOf(model).lifetimeMs,
      expiredTokens: calls[at - 1]?.model === model ? (expired?.tokens ?? 0) : 0,
      wait,
    };
  });
  return warmWorth(paused, new PauseLengths(RECORDED_PAUSES));
}

const tokensOf = (parts: RecordedCall['parts']): BilledTokens => ({
  cachedTokens: parts.cachedInput?.count ?? 0,
  writtenTokens: parts.cacheWrites?.count ?? 0,
  writtenHourTokens: parts.longCacheWrites?.count ?? 0,
  uncachedTokens: parts.input?.count ?? 0,
  outputTokens: parts.output?.count ?? 0,
});
