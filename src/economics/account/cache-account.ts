import { type CacheMiss, MISS_CAUSES } from '../cache-miss.ts';
import { type CallCost, type PartCost, TOKEN_PARTS } from '../call-parts.ts';
import { SURCHARGE_PARTS } from '../prices.ts';

const BESIDE = [...SURCHARGE_PARTS, 'innerCalls', 'serverTools'] as const;

/**
 * What money was spent on. Input is new text, text that was read from the cache, or text that was sent before and not read from it, by its
 * cause. A ping is whole in its own row. `firstCall` is the new text of first calls: system prompt, tools and the first message. `untold`: input of which the call before is not known.
 */
export const ACCOUNT_ROWS = [
  'newText',
  'firstCall',
  'cachedReads',
  'output',
  'pings',
  ...MISS_CAUSES,
  'untold',
  ...BESIDE,
] as const;
export type AccountRow = (typeof ACCOUNT_ROWS)[number];

/** Calls that have something in a row; tokens, or as `PartCost` counts; and US dollars. */
export interface RowSum extends PartCost {
  readonly calls: number;
}

/** The one account of what calls cost: rows in which something was billed. The dollars of the rows sum up to those of the calls, and the tokens to theirs. */
export type CacheAccount = Readonly<Partial<Record<AccountRow, RowSum>>>;

/** Input that was not read from the cache, in the order of the prompt: what is written for an hour is before what is written for minutes. */
const UNREAD_PARTS = ['longCacheWrites', 'cacheWrites', 'input'] as const;

/** A call and what it did not read from the cache. */
interface AccountedCall {
  readonly parts: CallCost['parts'];
  /** `first`: there is no call before it; `untold`: that is not known. */
  readonly misses: readonly CacheMiss[] | 'first' | 'untold';
}

/** The account of one call. */
export function accountOf({ parts, misses }: AccountedCall): CacheAccount {
  const account: Partial<Record<AccountRow, RowSum>> = {};
  const put = (row: AccountRow, { count, dollars }: PartCost): void => {
    if (count > 0) account[row] = { calls: 1, count, dollars };
  };
  const unread = new UnreadInput(parts);
  if (typeof misses !== 'string') for (const { cause, tokens } of misses) put(cause, unread.take(tokens));
  put(
    misses === 'first' ? 'firstCall' : misses === 'untold' ? 'untold' : 'newText',
    unread.take(Number.POSITIVE_INFINITY),
  );
  put('cachedReads', parts.cachedInput ?? NOTHING);
  put('output', parts.output ?? NOTHING);
  for (const part of BESIDE) put(part, parts[part] ?? NOTHING);
  return account;
}

/** The account of a ping: no call, but tokens and money. */
export function pingAccount(parts: CallCost['parts']): CacheAccount {
  const costs = Object.values(parts);
  const tokens = TOKEN_PARTS.reduce((sum, part) => sum + (parts[part]?.count ?? 0), 0);
  return { pings: { calls: 1, count: tokens, dollars: costs.reduce((sum, { dollars }) => sum + dollars, 0) } };
}

const NOTHING: PartCost = { count: 0, dollars: 0 };

/** What a prompt was billed for beside cached reads, from its start to its end. */
class UnreadInput {
  readonly #left: { count: number; readonly rate: number }[];

  constructor(parts: CallCost['parts']) {
    this.#left = UNREAD_PARTS.flatMap((part) => {
      const { count, dollars } = parts[part] ?? NOTHING;
      return count > 0 ? [{ count, rate: dollars / count }] : [];
    });
  }

  /** The next tokens. */
  take(tokens: number): PartCost {
    let wanted = tokens;
    let dollars = 0;
    let count = 0;
    for (const part of this.#left) {
      const taken = Math.min(wanted, part.count);
      part.count -= taken;
      wanted -= taken;
      count += taken;
      dollars += taken * part.rate;
    }
    return { count, dollars };
  }
}

/** The sum of accounts. */
export function accountSum(accounts: readonly CacheAccount[]): CacheAccount {
  const sum: Partial<Record<AccountRow, RowSum>> = {};
  for (const account of accounts)
    for (const row of rowsOf(account)) sum[row] = rowSum([sum[row] ?? NO_ROW, account[row]!]);
  return sum;
}

const NO_ROW: RowSum = { calls: 0, count: 0, dollars: 0 };

const rowSum = (rows: readonly RowSum[]): RowSum => ({
  calls: rows.reduce((sum, { calls }) => sum + calls, 0),
  count: rows.reduce((sum, { count }) => sum + count, 0),
  dollars: rows.reduce((sum, { dollars }) => sum + dollars, 0),
});

/** The rows in which something was billed, in order. */
export const rowsOf = (account: CacheAccount): readonly AccountRow[] =>
  ACCOUNT_ROWS.filter((row) => account[row] !== undefined);

/** All input that was sent before and not read from the cache. */
export const missedOf = (account: CacheAccount): RowSum => rowSum(MISS_CAUSES.flatMap((cause) => account[cause] ?? []));
