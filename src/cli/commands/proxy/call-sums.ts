import { callDollars } from '../../../economics/bill.ts';
import { priceOf } from '../../../economics/prices.ts';
import type { LoggedCall } from '../../../proxy/call-log.ts';

/** Sums over calls that went through the proxy. */
export interface CallSums {
  readonly calls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Tokens that the requests did not contain because of pruning, estimated. */
  readonly savedTokens: number;
  /** Results that were sent in another form for the first time. */
  readonly changedResults: number;
  readonly epochs: number;
  readonly refused: number;
  readonly dollars: number;
  /** Calls whose model has no known price; their dollars are not in the sum. */
  readonly unpricedCalls: number;
  /** Of the time that requests waited here, in milliseconds. */
  readonly medianAddedMs: number;
}

/** Dollars of a call at list prices; undefined for an unknown model or usage. */
export function dollarsOf({ model, usage, at }: LoggedCall): number | undefined {
  if (usage === undefined || model === undefined) return undefined;
  const price = priceOf(model, at);
  if (price.match === 'unknown') return undefined;
  const { promptTokens, cachedTokens, writtenTokens, writtenHourTokens, outputTokens } = usage;
  const uncachedTokens = promptTokens - cachedTokens - writtenTokens - writtenHourTokens;
  return callDollars(price, { cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens, outputTokens });
}

export function callSums(calls: readonly LoggedCall[]): CallSums {
  const sums = {
    calls: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    savedTokens: 0,
    changedResults: 0,
    epochs: 0,
    refused: 0,
    dollars: 0,
    unpricedCalls: 0,
  };
  const waits: number[] = [];
  for (const call of calls) {
    if (call.isCount) continue;
    const dollars = dollarsOf(call);
    sums.calls++;
    sums.promptTokens += call.usage?.promptTokens ?? 0;
    sums.cachedTokens += call.usage?.cachedTokens ?? 0;
    sums.outputTokens += call.usage?.outputTokens ?? 0;
    sums.savedTokens += call.report?.savedTokens ?? 0;
    sums.changedResults += call.report?.changed.length ?? 0;
    sums.epochs += call.report?.isEpoch ? 1 : 0;
    sums.refused += call.isResent ? 1 : 0;
    sums.dollars += dollars ?? 0;
    sums.unpricedCalls += dollars === undefined ? 1 : 0;
    waits.push(call.addedMs);
  }
  waits.sort((one, other) => one - other);
  return { ...sums, medianAddedMs: waits[Math.floor(waits.length / 2)] ?? 0 };
}
