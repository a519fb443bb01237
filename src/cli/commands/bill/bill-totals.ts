import { groupBy } from '../../../content/group-by.ts';
import { accountOf, accountSum, type CacheAccount, missedOf } from '../../../economics/account/cache-account.ts';
import { CALL_PARTS, type CallPart, type PartCost } from '../../../economics/call-parts.ts';
import type { UnpricedPart } from '../../../economics/served-price.ts';
import type { RecordedCall } from '../../../lab/recorded-bill.ts';
import { type ChangedPrompt, type ChangeSum, ChangeSums } from '../../../proxy/ledger/changed-prompt.ts';
import type { ContradictedCall } from '../../../sessions/possible-usage.ts';
import { recordOf } from '../../../strategies/reasons/edit-reason.ts';

/** The sum of recorded calls. Dollars are those of calls with a known or guessed price. */
export interface BillTotals {
  readonly calls: number;
  /** The calls without a price. */
  readonly unpricedCalls: number;
  /** Calls that are copies of another session's: they are billed there, and in no other figure here. */
  readonly copiedCalls: number;
  /** Calls whose usage cannot be. They are in no other figure. */
  readonly contradicted: readonly ContradictedCall[];
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  /** The same dollars, by what they were billed for. */
  readonly parts: Readonly<Record<CallPart, PartCost>>;
  /** What was billed without a known price here, beside calls without a price. It is in no dollars. */
  readonly unpriced: readonly UnpricedPart[];
  /** The same dollars, by what they were spent on. */
  readonly account: CacheAccount;
  /** What agents changed of what was in the cache, where the log of wrapped calls says it; the most expensive first. */
  readonly changes: readonly ChangeSum[];
  /** The part of them for input that was sent before and not read from the cache. */
  readonly missedDollars: number;
  readonly tierCalls: number;
  readonly tierDollars: number;
  readonly hourSaving: number;
  /** System prompt and tool definitions in the input of the calls where that is known, these calls, and their whole input. */
  readonly constantTokens: number;
  readonly constantCalls: number;
  readonly constantPromptTokens: number;
  /** Names of models, with the model whose prices were taken; and names without a price. */
  readonly guessed: readonly (readonly [name: string, model: string])[];
  readonly unknown: readonly string[];
}

/** A recorded call and where it is from. */
export interface BilledCall extends Omit<RecordedCall, 'event' | 'wait'> {
  /** What it changed of what was sent before, where a log says it. */
  readonly changed?: ChangedPrompt;
  readonly session: string;
  readonly project: string;
  readonly agent: string;
  /** Tokens of its system prompt and tool definitions, if that is known. */
  readonly constantTokens: number | undefined;
}

type TotalledCall = Omit<BilledCall, 'session' | 'project' | 'agent' | 'constantTokens'> &
  Pick<Partial<BilledCall>, 'constantTokens'>;

/** The totals of calls. Linear. */
export function billTotals(
  calls: readonly TotalledCall[],
  copiedCalls = 0,
  contradicted: readonly ContradictedCall[] = [],
): BillTotals {
  const priced = calls.filter(({ price }) => price.match !== 'unknown');
  const withConstant = calls.filter(({ constantTokens }) => constantTokens !== undefined);
  const sum = (of: (call: TotalledCall) => number, from = calls): number =>
    from.reduce((total, call) => total + of(call), 0);
  const accounts = priced.map(accountOf);
  const account = accountSum(accounts);
  const changes = new ChangeSums();
  for (const [at, { changed }] of priced.entries()) if (changed) changes.addCall(accounts[at]!, changed);
  const parts = recordOf(CALL_PARTS, (part) => ({
    count: sum((call) => call.parts[part]?.count ?? 0),
    dollars: sum((call) => call.parts[part]?.dollars ?? 0, priced),
  }));
  const guessed = new Map(
    priced.filter(({ price }) => price.match === 'guess').map(({ model, price }) => [model, price.model]),
  );
  return {
    calls: calls.length,
    unpricedCalls: calls.length - priced.length,
    copiedCalls,
    contradicted,
    promptTokens: sum(({ usage }) => usage.promptTokens),
    cachedTokens: sum(({ usage }) => usage.cachedTokens ?? 0),
    writtenTokens: sum(({ usage }) => usage.writtenTokens ?? 0),
    outputTokens: sum(({ usage }) => usage.completionTokens),
    dollars: sum(({ dollars }) => dollars, priced),
    parts,
    unpriced: unpricedSums(calls),
    account,
    changes: changes.list,
    missedDollars: missedOf(account).dollars,
    tierCalls: priced.filter(({ tierDollars }) => tierDollars > 0).length,
    tierDollars: sum(({ tierDollars }) => tierDollars, priced),
    hourSaving: sum(({ hourSaving }) => hourSaving, priced),
    constantTokens: sum(({ constantTokens, usage }) => Math.min(constantTokens!, usage.promptTokens), withConstant),
    constantCalls: withConstant.length,
    constantPromptTokens: sum(({ usage }) => usage.promptTokens, withConstant),
    guessed: [...guessed],
    unknown: [...new Set(calls.filter(({ price }) => price.match === 'unknown').map(({ model }) => model))],
  };
}

/** Each once, with the number of all. */
function unpricedSums(calls: readonly TotalledCall[]): readonly UnpricedPart[] {
  const all = groupBy(
    calls.flatMap(({ unpriced }) => unpriced),
    ({ part, name }) => `${part} ${name}`,
  );
  return [...all.values()].map((same) => ({ ...same[0]!, count: same.reduce((sum, { count }) => sum + count, 0) }));
}
