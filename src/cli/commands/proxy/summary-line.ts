import { compact, counted, duration, percent } from '../../../report/figures.ts';
import type { CallSums } from './call-sums.ts';

/** Calls, tokens and money in one line. */
export function summaryLine(sums: CallSums, isShadow: boolean): string {
  const { calls, promptTokens, cachedTokens, savedTokens, changedResults, dollars, unpricedCalls, medianAddedMs } =
    sums;
  if (calls === 0) return 'No call went through.';
  const would = isShadow ? 'would have been ' : '';
  const price = unpricedCalls === calls ? 'no known price' : `$${dollars.toFixed(2)} at list prices`;
  return [
    counted(calls, 'call'),
    `${compact(promptTokens)} tokens sent (${percent(cachedTokens, promptTokens)} from the cache)`,
    `${compact(savedTokens)} ${would}left out`,
    `${counted(changedResults, 'result')} ${would}shortened`,
    price,
    `${duration(medianAddedMs)} added to a call`,
  ].join(' · ');
}
