import type { RecordedCall } from '../../../lab/recorded-bill.ts';
import { loggedCalls } from '../../../proxy/ledger/call-history.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';

const HOUR_MS = 60 * 60_000;

const usageKey = (promptTokens: number, cachedTokens: number, outputTokens: number): string =>
  [promptTokens, cachedTokens, outputTokens].join(' ');

/**
 * True for a call if the log of `density wrap` and `density proxy` says that earlier text had another form in it.
 * The provider's usage names the call: a recording and the log have no id in common.
 */
export async function rewrittenHere(): Promise<(call: Pick<RecordedCall, 'usage' | 'atMs'>) => boolean> {
  const times = new Map<string, number[]>();
  for await (const { usage, report, isShadow, at } of loggedCalls(liveFolder())) {
    if (usage === undefined || isShadow || report?.isEpoch !== true) continue;
    const key = usageKey(usage.promptTokens, usage.cachedTokens, usage.outputTokens);
    times.set(key, [...(times.get(key) ?? []), at]);
  }
  return ({ usage, atMs }) => {
    const found = times.get(usageKey(usage.promptTokens, usage.cachedTokens ?? 0, usage.completionTokens)) ?? [];
    return found.some((at) => atMs === undefined || Math.abs(at - atMs) < HOUR_MS);
  };
}
