import type { IContent, Usage } from '../../content/content.ts';
import { cachedFileAccess } from '../../content/files/cached-file-access.ts';
import { cacheRuleOf } from '../../economics/cache-rules.ts';
import type { DecisionCause } from '../../economics/decision.ts';
import { priceOf, ratesFor } from '../../economics/prices.ts';
import { liveHistory, type SessionFormat } from '../../formats/contract.ts';
import { densityConfig } from '../../gate/density/density-step.ts';
import { countCopies } from '../../guard/count-copies.ts';
import type { GuardKind } from '../../guard/guard-log.ts';
import { answersIn, givenLifetimeMs, pruningDecision } from '../../pruning/pruning-decision.ts';
import { RECOMMENDED } from '../../settings/recommended.ts';
import { createEphemerals } from '../../settings/resolve.ts';
import { optimizedEntries } from '../../strategies/changed-entries.ts';
import { HighDensityStrategy } from '../../strategies/high-density/high-density.ts';
import { COUNTERS, type Counter } from '../../strategies/reasons/edit-reason.ts';
import { RemovalAccount, removalsOf } from '../../strategies/removals.ts';
import type { CountBlock } from '../../tokens/entries/block-counter.ts';
import { contextLimitOfModel } from '../../tokens/models.ts';
import { knownCalls } from '../known-calls.ts';
import { PlayedRegrets } from '../played/played-regrets.ts';
import type { PolicyRun } from '../policy-run.ts';
import { type BilledSession, recommendedBill } from '../recommended-bill.ts';

/** What is known of a session that an agent writes, at one moment. Dollars are list prices; 0 for a model without a price. */
export interface WatchedSession {
  readonly format: string;
  readonly model: string;
  readonly calls: number;
  /** The prompt of the last call: as the provider counted it, else estimated. */
  readonly promptTokens: number;
  readonly isReported: boolean;
  readonly windowTokens: number;
  /** When the last answer ended, in milliseconds since 1970; absent where the session has no times. */
  readonly lastCallAt?: number;
  /** What the prompt cache contains while it lives: sending that text without it would cost so much more. */
  readonly cache: { readonly lifetimeMs: number; readonly tokens: number; readonly dollars: number };
  /** What the rules of the profile `recommended` would remove now. */
  readonly removable: {
    readonly tokens: number;
    readonly rows: readonly { readonly rule: Counter; readonly count: number; readonly tokens: number }[];
  };
  /** Whether that would be done before the next call, and why. */
  readonly decision: { readonly cause: DecisionCause; readonly reason: string; readonly appliesNow: boolean };
  /** The session until now without pruning, and pruned from its start: simulated bills, and what was needed again. */
  readonly soFar: { readonly dollars: number; readonly prunedDollars: number; readonly regrets: number };
  /** Calls that would have written a marker, or wrote one, by what was done about it. */
  readonly copiedMarkers: Readonly<Record<GuardKind, number>>;
}

interface LastCall {
  /** The position of its answer in the live history; -1 without an answer. */
  readonly at: number;
  readonly usage: Usage | undefined;
  readonly endedAt: number | undefined;
}

export function lastCallOf(history: readonly IContent[]): LastCall {
  const at = history.findLastIndex(({ speaker }) => speaker === 'ai');
  const metadata = history[at]?.metadata;
  const usage = history.findLast(({ metadata: one }) => (one?.usage?.promptTokens ?? 0) > 0)?.metadata?.usage;
  return { at, usage, endedAt: metadata?.timestamp };
}

/** A session that is played, and its counts. */
export interface Played {
  readonly billed: BilledSession;
  readonly countBlock: CountBlock;
  readonly run: PolicyRun;
}

/** What is known of a session. `run` has played a part of it or nothing; the rest is played here. */
export async function watchedSession(
  { billed, countBlock, run }: Played,
  { format, now }: { readonly format: SessionFormat; readonly now: number },
): Promise<WatchedSession> {
  const { session, model, tokensOf, constantTokens, cacheMinutes } = billed;
  const history = liveHistory(session);
  const last = lastCallOf(history);
  const tokens = history.map(tokensOf);
  const lifetimeMs = cacheMinutes === undefined ? cacheRuleOf(model).lifetimeMs : cacheMinutes * 60_000;
  const sent = tokens.slice(0, Math.max(0, last.at)).reduce((sum, count) => sum + count, constantTokens);
  const promptTokens = last.usage?.promptTokens ?? (last.at === -1 ? 0 : sent);
  const price = priceOf(model, now);
  const { cachedRead, write, writeHour } = ratesFor(price, promptTokens);
  const ephemerals = createEphemerals(
    [RECOMMENDED, cacheMinutes === undefined ? {} : { 'compression.density.cacheMinutes': cacheMinutes }],
    { model },
  );
  const strategy = new HighDensityStrategy({ vocabulary: format.vocabulary, fileAccess: cachedFileAccess() });
  const found = strategy.optimize(history, densityConfig({ ephemerals, workspaceRoot: session.workspaceRoot ?? '/' }));
  const account = new RemovalAccount();
  account.add(optimizedEntries(history, found, strategy.name));
  const removals = removalsOf(account, tokensOf);
  const rows = COUNTERS.flatMap((rule) => (removals[rule].count === 0 ? [] : [{ rule, ...removals[rule] }]));
  const callsMade = answersIn(history);
  const moment = {
    ...{ history, tokens, constantTokens, pendingTokens: 0, sentEntries: Math.max(0, last.at) },
    idleMs: last.endedAt === undefined ? undefined : now - last.endedAt,
    callsMade,
    pastCalls: knownCalls(session, { tokensOf, constantTokens }),
  };
  const { cause, reason, result } = pruningDecision(found, moment, {
    ...{ model, agent: format.name, lifetimeMs: givenLifetimeMs(ephemerals) },
    thresholdTokens: ephemerals.compressionThreshold() * ephemerals.contextLimit(),
  });
  const bill = await recommendedBill(billed, run);
  const regrets = new PlayedRegrets(session, countBlock).under(bill.moves);
  const isPriced = price.match !== 'unknown';
  const known = contextLimitOfModel(model);
  return {
    format: format.name,
    model,
    calls: callsMade,
    promptTokens,
    isReported: last.usage !== undefined && !last.usage.reported,
    windowTokens: promptTokens > known ? Math.max(1_000_000, promptTokens) : known,
    ...(last.endedAt !== undefined && { lastCallAt: last.endedAt }),
    cache: {
      lifetimeMs,
      tokens: promptTokens,
      dollars: isPriced ? (promptTokens * ((cacheMinutes === undefined ? write : writeHour) - cachedRead)) / 1e6 : 0,
    },
    removable: { tokens: rows.reduce((sum, row) => sum + row.tokens, 0), rows },
    decision: { cause, reason, appliesNow: result !== undefined },
    copiedMarkers: countCopies(history),
    soFar: {
      dollars: isPriced ? bill.without : 0,
      prunedDollars: isPriced ? bill.recommended : 0,
      regrets: regrets.length,
    },
  };
}
