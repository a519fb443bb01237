import type { ProjectionKind } from '../../live/contract.ts';
import { compactTokens, counted, duration } from '../../report/figures.ts';
import type { ConversationNumbers, LedgerNumbers, NetCause } from '../ledger/contract.ts';

/** Why results are shortened, as rows of a table. */
export const NET_WORDS: Readonly<Record<NetCause, string>> = {
  repeat: 'repeats, sent as references',
  healed: 'reads given back for empty answers',
  told: 'told that a marker was written',
  unsent: 'removed before it was cached',
  cold: 'removed after the cache expired',
  pays: 'removed, expected to pay',
  tier: 'removed for a lower price tier',
  room: 'removed to postpone compression',
  earlier: 'decided earlier, left out again',
  ping: 'kept warm by pings',
};

/** What happened to a result, as a badge. */
export const KIND_WORDS: Readonly<Record<ProjectionKind, string>> = {
  pruned: 'removed',
  repeat: 'reference',
  healed: 'given back',
  told: 'told',
};

/** With fewer calls the median of the time added says more about the moment than about the proxy. */
const CALLS_FOR_MEDIAN = 20;
/** With fewer calls the 99th percentile is the slowest call. */
export const CALLS_FOR_TAIL = 100;

/** `1.8 ms`: the median of the time added to enough calls, else nothing. */
export const medianAdded = ({ calls, medianAddedMs }: Pick<LedgerNumbers, 'calls' | 'medianAddedMs'>): string[] =>
  calls < CALLS_FOR_MEDIAN ? [] : [duration(medianAddedMs)];

/** What to say where long results took all of the time. */
export const lateWords = (isLate: boolean): readonly string[] =>
  isLate ? ['density had no time to shorten anything new: results of the last call are too long'] : [];

/** Less is not worth a line. */
const LEAST_WHOLE_TOKENS = 1_000;

/** What of a conversation nothing can shorten, with its tokens: a sentence, or none. */
export function wholeWords(sentWhole: ConversationNumbers['sentWhole']): readonly string[] {
  const large = sentWhole.filter(({ tokens }) => tokens >= LEAST_WHOLE_TOKENS);
  const named = large.map(({ kind, tokens }) => `${kind} (${compactTokens(tokens)})`);
  return named.length === 0 ? [] : [`density cannot shorten these parts of results: ${named.join(', ')}`];
}

/** `2 refused, 1 told, 1 passed`; empty where no marker was copied. */
export const copiedWords = ({ refused, told, passed }: LedgerNumbers['copiedMarkers']): string =>
  Object.entries({ refused, told, passed })
    .flatMap(([what, count]) => (count > 0 ? `${count} ${what}` : []))
    .join(', ');

/** `$1.23`, `$0.045`: three decimals below a dollar. */
export function money(dollars: number): string {
  const amount = Math.abs(dollars);
  const digits = amount < 0.9995 ? 3 : 2;
  return `${dollars < 0 && amount >= 0.0005 ? '−' : ''}$${amount.toFixed(digits)}`;
}

/** `saved` or `lost`; `would …` where nothing was changed. */
export function netVerb(dollars: number, isShadow: boolean): string {
  const [done, would] = dollars < -0.0005 ? ['lost', 'would lose'] : ['saved', 'would save'];
  return isShadow ? would : done;
}

/** `saved $1.23`, `would lose $0.045`. */
export const netWords = (dollars: number, isShadow: boolean): string =>
  `${netVerb(dollars, isShadow)} ${money(Math.abs(dollars))}`;

/** The time of day on this computer. */
export const clock = (at: number): string => new Date(at).toLocaleTimeString('en-GB', { hour12: false });

export const callCount = (calls: number): string => counted(calls, 'call');

/** What to say of answers whose usage is not used. */
export const contradictedWords = (calls: number): string =>
  `${counted(calls, 'call')} ${calls === 1 ? 'reports' : 'report'} usage that cannot be: far more or far fewer tokens than the text that was sent has; it is not used`;
