import { missedOf } from '../../../economics/account/cache-account.ts';
import type { LedgerNumbers } from '../../../proxy/ledger/contract.ts';
import { changeSentence } from '../../../report/account-words.ts';
import { compactTokens, counted, dollars } from '../../../report/figures.ts';

/** Less is not worth a line. */
const LEAST_DOLLARS = 0.05;

type CacheNumbers = Pick<LedgerNumbers, 'account' | 'changes' | 'warm'>;

/** What was written to the cache again after pauses, and what pings would have saved: one sentence, or none. */
export function pausesLine({ account, warm }: Pick<CacheNumbers, 'account' | 'warm'>): readonly string[] {
  const { pause, toolWait, expiry, pings } = account;
  const named = [
    ...(pause ? [counted(pause.calls, 'pause')] : []),
    ...(toolWait ? [counted(toolWait.calls, 'tool wait')] : []),
    ...(expiry ? [counted(expiry.calls, 'wait')] : []),
  ];
  const rows = [pause, toolWait, expiry].flatMap((row) => row ?? []);
  const cost = rows.reduce((sum, row) => sum + row.dollars, 0);
  if (cost < LEAST_DOLLARS) return [];
  const tokens = compactTokens(rows.reduce((sum, { count }) => sum + count, 0));
  return [`${named.join(' and ')} wrote ${tokens} again, ${dollars(cost)}${pings ? '' : warmWords(warm)}`];
}

/** What pings would have saved where none was sent, if that is more than a few cents: they are simulated at list prices, and no provider was asked. */
function warmWords({ pings, pingDollars, savedDollars }: CacheNumbers['warm']): string {
  const net = savedDollars - pingDollars;
  return net < LEAST_DOLLARS
    ? ''
    : `; \`--keep-warm\` would have saved about ${dollars(net)} with ${counted(pings, 'ping')} (simulated)`;
}

/** What marks at the end of the history would have saved, where that is more than a few cents: one sentence, or none. */
export const marksLine = ({ marksDollars }: Pick<LedgerNumbers, 'marksDollars'>): readonly string[] =>
  marksDollars < LEAST_DOLLARS
    ? []
    : [
        `the agent marks no history for the cache; \`--cache-marks\` would have saved about ${dollars(marksDollars)} (simulated)`,
      ];

/** What the agent changed, if that cost more than all other text that was written again: one sentence, or none. */
export function changeLine({
  account,
  changes: [first],
}: Pick<CacheNumbers, 'account' | 'changes'>): readonly string[] {
  if (first === undefined || first.dollars < LEAST_DOLLARS) return [];
  return first.dollars > missedOf(account).dollars / 2 ? [changeSentence(first)] : [];
}
