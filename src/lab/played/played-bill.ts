import type { IContent } from '../../content/content.ts';
import { MINUTE_MS } from '../../durations.ts';
import { type BilledTokens, billedTokens, callDollars } from '../../economics/bill.ts';
import { cacheRuleOf } from '../../economics/cache-rules.ts';
import { likeCall } from '../../economics/call-parts.ts';
import { priceOf } from '../../economics/prices.ts';
import { type CallPrompt, PromptCache } from '../../economics/prompt-cache.ts';
import type { PausePings } from '../../economics/warm/played-pings.ts';
import type { Session } from '../../formats/contract.ts';
import type { ContextMove } from '../../replay/context-move.ts';
import { modelCalls } from '../played-events.ts';
import { type CauseSaving, CauseSavings, removedTokens, type SavingCause } from './cause-savings.ts';

export interface BilledPlay {
  /** The model whose prices and cache count. */
  readonly model: string;
  /** Minutes that prefixes are kept; absent: as the model does by default. */
  readonly cacheMinutes?: number | undefined;
  readonly tokensOf: (entry: IContent) => number;
  /** System prompt and tools. */
  readonly constantTokens: number;
}

/** What is equal for each prompt of a call. */
interface PlayedCall extends ReturnType<typeof likeCall> {
  readonly outputTokens: number;
}

/** What one call is billed for, and US dollars. */
export interface CallBill extends BilledTokens {
  readonly dollars: number;
}

/** The simulated bill of each call as recorded and with changes of its context, and what the changes saved, by cause. */
export interface PlayedBill {
  readonly calls: readonly { readonly recorded: CallBill; readonly pruned: CallBill }[];
  readonly dollarsRaw: number;
  readonly dollars: number;
  readonly savedBy: Readonly<Partial<Record<SavingCause, CauseSaving>>>;
}

/**
 * The bill of the recorded calls, at their recorded times, without and with these changes. Copied calls are played, but billed
 * elsewhere. Linear in entries and changes.
 */
export function playedBill(
  session: Session,
  moves: readonly ContextMove[],
  { model, cacheMinutes, tokensOf, constantTokens }: BilledPlay,
  pings: ReadonlyMap<number, PausePings> = new Map(),
): PlayedBill {
  const rule = cacheRuleOf(model);
  const facts = { ...rule, lifetimeMs: cacheMinutes === undefined ? rule.lifetimeMs : cacheMinutes * MINUTE_MS };
  const modelPrice = priceOf(model);
  const cacheOptions = { tokensOf, thinkingTokensOf: () => 0, constantTokens };
  const recordedCache = new PromptCache(cacheOptions);
  const prunedCache = new PromptCache(cacheOptions);
  const savings = new CauseSavings();
  const calls: { recorded: CallBill; pruned: CallBill }[] = [];
  let dollarsRaw = 0;
  let dollars = 0;
  const bill = (one: CallPrompt, other: CallPrompt, { price, besideDollars, outputTokens }: PlayedCall): void => {
    const [before, after] = [one, other].map((prompt) => {
      const tokens = billedTokens(prompt, { cache: facts, outputTokens });
      return { ...tokens, dollars: callDollars(price, tokens) + besideDollars };
    }) as [CallBill, CallBill];
    calls.push({ recorded: before, pruned: after });
    dollarsRaw += before.dollars;
    dollars += after.dollars;
    savings.call({
      tokensRaw: one.promptTokens,
      tokens: other.promptTokens,
      inputDollarsRaw: callDollars(price, { ...before, outputTokens: 0 }),
      dollarsRaw: before.dollars,
      dollars: after.dollars,
    });
  };
  const onMove = (move: ContextMove, entries: readonly IContent[]): void =>
    savings.move(move, removedTokens(move, { entries, tokensOf }));
  for (const { at, recorded, entries, answer, atMs, isCopied } of modelCalls(session, { moves, onMove })) {
    const one = recordedCache.call(recorded, atMs);
    const ping = pings.get(at);
    const asked = prunedCache.call(entries, atMs);
    const other = ping ? { ...asked, idleMs: ping.idleMs } : asked;
    dollars += ping?.dollars ?? 0;
    if (isCopied) savings.skipCall();
    else {
      const { usage } = answer.metadata ?? {};
      const outputTokens = usage?.completionTokens ?? tokensOf(answer);
      bill(one, other, { ...likeCall(modelPrice, { atMs, beside: usage }), outputTokens });
    }
  }
  return { calls, dollarsRaw, dollars, savedBy: savings.all };
}
