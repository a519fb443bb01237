import { type PriceMatch, priceOf } from '../../economics/prices.ts';
import type { Session } from '../../formats/contract.ts';
import type { ContextMove } from '../../replay/context-move.ts';
import { recordedCacheMinutes } from '../../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf } from '../../sessions/constant-tokens.ts';
import { blockCounter } from '../../tokens/entries/block-counter.ts';
import { entryTokens } from '../entry-tokens.ts';
import { type PlayedBill, playedBill } from './played-bill.ts';
import { PlayedRegrets } from './played-regrets.ts';

/** What changes of a recorded session's context were worth: money, and whether what they removed was needed later. */
export interface SessionWorth extends PlayedBill {
  /** The model whose list prices are used, and how it was found; `unknown`: another model's, so dollars say nothing. */
  readonly pricedAs: string;
  readonly priceMatch: PriceMatch;
  /** Edits whose old text was in the context of the recorded agent, and those of them that needed removed text. */
  readonly evidencedEdits: number;
  readonly regrettedEdits: number;
  /** Other uses of removed text: quotations, names, calls again. */
  readonly otherRegrets: number;
}

/** Changes of a session's context, in the order of the session, and by what to price them. */
export interface WorthQuestion {
  readonly session: Session;
  /** Their unchanged entries are those of the session. */
  readonly moves: readonly ContextMove[];
  readonly model: string;
  /** Lifetime of the prompt cache; default: the recorded one. */
  readonly cacheMinutes?: number | undefined;
}

/** The worth of these changes. Linear in entries and changes. */
export function sessionWorth({ session, moves, model, cacheMinutes }: WorthQuestion): SessionWorth {
  const countBlock = blockCounter(model);
  const tokensOf = entryTokens({ model, countBlock });
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  const minutes = cacheMinutes ?? recordedCacheMinutes(session);
  const bill = playedBill(session, moves, { model, cacheMinutes: minutes, tokensOf, constantTokens });
  const played = new PlayedRegrets(session, countBlock);
  const regrets = played.under(moves);
  const regrettedEdits = regrets.filter(({ kind }) => kind === 'edit').length;
  const { model: pricedAs, match: priceMatch } = priceOf(model);
  return {
    ...bill,
    pricedAs,
    priceMatch,
    evidencedEdits: played.evidencedEdits,
    regrettedEdits,
    otherRegrets: regrets.length - regrettedEdits,
  };
}
