import type { SavingCause } from '../lab/played/cause-savings.ts';
import type { SessionWorth } from '../lab/played/session-worth.ts';
import type { ReplayResult } from '../replay/result.ts';
import { BASIS, billChange } from './basis-words.ts';
import { changeInDollars, counted, grouped, percent } from './figures.ts';

/** Tokens of all calls, and what their worth is; several sessions are one by `sumOfWorths`. */
export type Worth = Pick<ReplayResult, 'tokensSentRaw' | 'tokensSent'> &
  Pick<SessionWorth, 'dollarsRaw' | 'dollars' | 'evidencedEdits' | 'regrettedEdits' | 'otherRegrets'> & {
    /** Sessions whose model has no price: their dollars are not in the sums. */
    readonly unpriced: number;
    readonly sessions: number;
    /** True if the tokens are those that a provider counted: with a system prompt and tools that no recorded text has. */
    readonly isWholePrompt: boolean;
  };

/** The worth of one session, without dollars that are those of another model. */
export function worthOf(result: ReplayResult, worth: SessionWorth): Worth {
  const isPriced = worth.priceMatch !== 'unknown';
  return {
    ...worth,
    tokensSentRaw: result.tokensSentRaw,
    tokensSent: result.tokensSent,
    dollarsRaw: isPriced ? worth.dollarsRaw : 0,
    dollars: isPriced ? worth.dollars : 0,
    unpriced: isPriced ? 0 : 1,
    sessions: 1,
    isWholePrompt: result.context.unrecordedTokens > 0,
  };
}

export function sumOfWorths(worths: readonly Worth[]): Worth {
  const sum = (of: (worth: Worth) => number): number => worths.reduce((total, worth) => total + of(worth), 0);
  return {
    tokensSentRaw: sum((worth) => worth.tokensSentRaw),
    tokensSent: sum((worth) => worth.tokensSent),
    dollarsRaw: sum((worth) => worth.dollarsRaw),
    dollars: sum((worth) => worth.dollars),
    evidencedEdits: sum((worth) => worth.evidencedEdits),
    regrettedEdits: sum((worth) => worth.regrettedEdits),
    otherRegrets: sum((worth) => worth.otherRegrets),
    unpriced: sum((worth) => worth.unpriced),
    sessions: sum((worth) => worth.sessions),
    isWholePrompt: worths.some((worth) => worth.isWholePrompt),
  };
}

function moneyWords({ dollarsRaw, dollars, unpriced, sessions }: Worth): string {
  if (unpriced === sessions) return 'no price is known for its model';
  const share = billChange(dollarsRaw, dollars);
  const dollarWords = changeInDollars(dollarsRaw, dollars);
  const inBrackets = dollarWords === 'the same bill' ? 'less than a tenth of a cent' : dollarWords;
  const change = share === undefined ? dollarWords : `${share} ${BASIS.bill} (${inBrackets})`;
  return unpriced === 0 ? change : `${change} (${counted(unpriced, 'session')} without a price)`;
}

/** "0 of 23 edits needed it"; says so where no edit was evidenced. */
export function regretWords({
  evidencedEdits,
  regrettedEdits,
  otherRegrets,
}: Pick<Worth, 'evidencedEdits' | 'regrettedEdits' | 'otherRegrets'>): string {
  const others = otherRegrets === 0 ? '' : `, ${counted(otherRegrets, 'other use', 'other uses')} of removed text`;
  if (evidencedEdits === 0) return `no edit could show what was missed${others}`;
  return `${grouped(regrettedEdits)} of ${counted(evidencedEdits, 'edit')} needed it${others}`;
}

/** Money, tokens and regrets in a line: "−6.0% of the bill ($0.62 less), −38% tokens of all calls together, 0 of 23 edits needed it". */
export function worthLine(worth: Worth): string {
  const { tokensSentRaw, tokensSent, isWholePrompt } = worth;
  if (tokensSent === tokensSentRaw) return 'nothing was removed: as many tokens, the same bill';
  const sign = tokensSent < tokensSentRaw ? '−' : '+';
  const tokens = `${sign}${percent(Math.abs(tokensSentRaw - tokensSent), tokensSentRaw)} ${BASIS.sent}${isWholePrompt ? ' (whole prompts)' : ''}`;
  return [moneyWords(worth), tokens, regretWords(worth)].join(', ');
}

/** Why text was removed when it was. */
export const CAUSE_WORDS: Readonly<Record<SavingCause, string>> = {
  unsent: 'before it was sent at all',
  cold: 'the cache had expired',
  pays: 'it paid for the rewritten cache',
  tier: 'under a price limit',
  room: 'a compression postponed',
  always: 'at every call',
  compressed: 'a compression at the threshold',
};
