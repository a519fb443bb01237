import type { WatchedSession } from '../../../lab/watch/watched-session.ts';
import { copiedWords, money } from '../../../proxy/page/page-words.ts';
import { compact, compactTokens, counted, percent } from '../../../report/figures.ts';
import { COUNTER_ROWS } from '../../../strategies/reasons/edit-reason.ts';

/** When the prompt cache expires, in milliseconds since 1970; undefined where the session has no times. */
export const expiryOf = ({ lastCallAt, cache }: WatchedSession): number | undefined =>
  lastCallAt === undefined ? undefined : lastCallAt + cache.lifetimeMs;

/** `3:07`; `1:02:09` from an hour on. */
function countdown(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const padded = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(seconds % 60)}` : `${minutes}:${padded(seconds % 60)}`;
}

export const windowWords = ({ promptTokens, windowTokens, isReported }: WatchedSession): string =>
  `${compact(promptTokens)} of ${compactTokens(windowTokens)} (${percent(promptTokens, windowTokens)})${isReported ? '' : ', estimated'}`;

/** What the prompt cache is worth now. */
export function cacheWords(watched: WatchedSession, now: number): string {
  const { cache } = watched;
  if (cache.tokens === 0) return 'nothing sent yet';
  const until = expiryOf(watched);
  const worth = cache.dollars > 0 ? `, worth ${money(cache.dollars)}` : '';
  if (until === undefined) return `unknown, the session has no times${worth}`;
  return until > now ? `warm for ${countdown(until - now)}${worth}` : `expired: removing costs nothing now`;
}

/** What the rules would remove. */
export function removableWords({ removable: { tokens, rows } }: WatchedSession): string {
  if (rows.length === 0) return 'nothing is stale or repeated';
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const most = [...rows].sort((one, other) => other.tokens - one.tokens)[0]!;
  return `${compactTokens(tokens)} in ${counted(count, 'place')}, most of them ${COUNTER_ROWS[most.rule].what}`;
}

/** What pruning from the start would have made of the session until now. */
export function soFarWords({ soFar: { dollars, prunedDollars, regrets } }: WatchedSession): string {
  const bill = dollars > 0 ? `${money(prunedDollars)} instead of ${money(dollars)}, ` : '';
  return `${bill}${counted(regrets, 'regret')}`;
}

/** Markers that the model copied; empty where there are none. */
export const copiesWords = ({ copiedMarkers }: WatchedSession): string => copiedWords(copiedMarkers);
