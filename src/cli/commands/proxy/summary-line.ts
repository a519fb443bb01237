import type { ConversationNumbers, LedgerNumbers, WaitingCause } from '../../../proxy/ledger/contract.ts';
import { contradictedWords, lateWords, medianAdded, netWords, wholeWords } from '../../../proxy/page/page-words.ts';
import { compact, compactTokens, counted, dollars, percent } from '../../../report/figures.ts';

/** Calls, tokens and money in one line. */
export function summaryLine(numbers: LedgerNumbers, isShadow: boolean): string {
  const { calls, promptTokens, cachedTokens, savedTokens, changedResults, unpricedCalls, netDollars } = numbers;
  const { contradictedCalls } = numbers;
  if (calls === 0) return 'No call went through.';
  const would = isShadow ? 'would have been ' : '';
  const changed = [
    `${compact(savedTokens)} ${would}left out`,
    `${counted(changedResults, 'result')} ${would}shortened`,
  ];
  if (promptTokens === 0) {
    const said =
      contradictedCalls > 0 ? contradictedWords(contradictedCalls) : 'no answer said how many tokens it used';
    return [`${counted(calls, 'call')}, and ${said}`, ...changed].join(' · ');
  }
  const price =
    unpricedCalls === calls
      ? ['no known price']
      : [`${dollars(numbers.dollars)} at list prices`, ...(changedResults > 0 ? [netWords(netDollars, isShadow)] : [])];
  return [
    counted(calls, 'call'),
    `${compactTokens(promptTokens)} sent (${percent(cachedTokens, promptTokens)} from the cache)`,
    ...changed,
    ...price,
    ...medianAdded(numbers).map((time) => `${time} added to a call`),
    ...(contradictedCalls > 0 ? [contradictedWords(contradictedCalls)] : []),
  ].join(' · ');
}

const SETTINGS: Readonly<Record<WaitingCause, string>> = {
  bound:
    '`compression.density.thinkingWhenCold` `drop` lets that thinking go, when the cache has expired and you speak',
  unpriced: '`model-prices` gives its price, `unbound-thinking` says that it binds no thinking',
  costs: 'no setting changes this: density does it as soon as it pays',
};

/** What was not pruned at the last call of a conversation, and which setting would change that: a line each. */
export function leftAloneLines({
  isOff,
  isLate,
  conversation,
  waits,
  unknownTools,
  sentWhole,
}: ConversationNumbers): string[] {
  if (isOff) return [`switched off; \`density on ${conversation}\` changes that`];
  return [
    ...(waits ? [`${waits.reason}; ${SETTINGS[waits.cause]}`] : []),
    ...(unknownTools.length > 0
      ? [
          `what these tools make stale is kept, because density does not know them: ${unknownTools.join(', ')}; say what they do in the setting \`compression.density.tools\``,
        ]
      : []),
    ...lateWords(isLate),
    ...wholeWords(sentWhole),
  ];
}
