import { type AccountRow, type CacheAccount, type RowSum, rowsOf } from '../economics/account/cache-account.ts';
import { compact, compactTokens, counted, dollars } from './figures.ts';

const WORDS: Readonly<Record<AccountRow, readonly [words: string, unit?: string]>> = {
  newText: ['new text'],
  firstCall: ['new text of first calls'],
  cachedReads: ['read from the cache'],
  output: ['output'],
  pings: ['pings'],
  pause: ['rewritten after a pause'],
  toolWait: ['rewritten after a tool wait'],
  expiry: ['rewritten after the cache expired'],
  modelSwitch: ['rewritten for another model'],
  compaction: ['rewritten after a summary'],
  tools: ['rewritten: tools changed'],
  system: ['rewritten: the system prompt changed'],
  effort: ['rewritten: the effort changed'],
  thinking: ['rewritten: thinking settings changed'],
  betas: ['rewritten: beta features changed'],
  settings: ['rewritten: another setting changed'],
  history: ['rewritten: earlier messages changed'],
  account: ['rewritten: the account changed'],
  pruned: ['rewritten: density changed text'],
  lost: ['rewritten: lost, no cause is known'],
  uncached: ['sent again, never cached'],
  untold: ['input that is not told apart'],
  service: ['fast mode and other services', 'call'],
  region: ['region', 'call'],
  peakHours: ['peak hours', 'call'],
  innerCalls: ['inner calls (compaction, advisor, declined)', 'call'],
  serverTools: ['tools of the provider', 'use'],
};

/** What a row is about, in a few words, and what is counted in it, one of them. */
export const rowWords = (row: AccountRow): readonly [words: string, unit: string] => {
  const [words, unit = 'token'] = WORDS[row];
  return [words, unit];
};

/** What an account has in a row: what it is about, how much of it, and the calls that have it. */
export interface WordedRow extends RowSum {
  readonly row: AccountRow;
  readonly words: string;
  /** Tokens as `12.3k`, else `3 uses`. */
  readonly amount: string;
}

/** The rows of an account that have something, in order. */
export const accountRows = (account: CacheAccount): readonly WordedRow[] =>
  rowsOf(account).map((row) => {
    const [words, unit] = WORDS[row];
    const sum = account[row]!;
    return { row, words, amount: unit ? counted(sum.count, unit) : compact(sum.count), ...sum };
  });

/** A change and what it cost. */
interface CostOfChange {
  readonly what: string;
  readonly where?: string;
  readonly calls: number;
  readonly tokens: number;
  readonly dollars: number;
}

/** `mcp__github changed its description twice: 184k tokens written again, $0.92`. */
export function changeSentence({ what, where, calls, tokens, dollars: cost }: CostOfChange): string {
  const times = calls === 1 ? '' : calls === 2 ? ' twice' : ` ${counted(calls, 'time')}`;
  const place = where === undefined ? '' : calls === 1 ? ` ${where}` : ` (last: ${where})`;
  return `${what}${times}${place}: ${compactTokens(tokens)} written again, ${dollars(cost)}`;
}
