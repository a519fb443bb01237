import type { LedgerNumbers } from '../../../proxy/ledger/contract.ts';
import { netWords } from '../../../proxy/page/page-words.ts';
import { compact, compactTokens, counted, duration, percent } from '../../../report/figures.ts';

/** Calls, tokens and money in one line. */
export function summaryLine(numbers: LedgerNumbers, isShadow: boolean): string {
  const { calls, promptTokens, cachedTokens, savedTokens, changedResults, dollars, unpricedCalls, netDollars } =
    numbers;
  if (calls === 0) return 'No call went through.';
  const would = isShadow ? 'would have been ' : '';
  const price =
    unpricedCalls === calls
      ? ['no known price']
      : [`$${dollars.toFixed(2)} at list prices`, ...(changedResults > 0 ? [netWords(netDollars, isShadow)] : [])];
  return [
    counted(calls, 'call'),
    `${compactTokens(promptTokens)} sent (${percent(cachedTokens, promptTokens)} from the cache)`,
    `${compact(savedTokens)} ${would}left out`,
    `${counted(changedResults, 'result')} ${would}shortened`,
    ...price,
    `${duration(numbers.medianAddedMs)} added to a call`,
  ].join(' · ');
}
