import { HOUR_MS } from '../../durations.ts';
import { accountOf, type CacheAccount, pingAccount } from '../../economics/account/cache-account.ts';
import { cacheMisses, isOtherModel, type SentCall } from '../../economics/cache-miss.ts';
import { cacheRuleOf, keptTokens } from '../../economics/cache-rules.ts';
import { warmGain } from '../../economics/warm/keep-warm.ts';
import type { PauseLengths } from '../../economics/warm/pause-lengths.ts';
import type { ProjectedResult, PruneReport } from '../../live/contract.ts';
import { contextLimitOfModel } from '../../tokens/models.ts';
import type { LoggedCall } from '../call-log.ts';
import type { ReportedUsage } from '../contract.ts';
import { type CallNet, callNet, type LastCall } from './call-net.ts';
import { type ChangedPrompt, changedPrompt } from './changed-prompt.ts';
import type { ConversationNumbers, LiveRegret, Misses, NetCause, PromptPoint } from './contract.ts';
import { CountedTokens } from './counted-tokens.ts';
import { MissedSavings } from './missed-savings.ts';
import { type PricedCall, pricedCall } from './priced-call.ts';

const MAX_POINTS = 400;
const NAME_CHARACTERS = 8;

/** How a conversation is named for a person. */
export const conversationName = (key: string): string => key.slice(0, NAME_CHARACTERS);

/** What one call adds to the sums. */
export interface CountedCall {
  /** With its savings in the provider's tokens. */
  readonly call: LoggedCall;
  readonly priced: PricedCall | undefined;
  /** What it was billed for; nothing where usage or price are not known. */
  readonly account: CacheAccount;
  readonly changed: ChangedPrompt | undefined;
  /** Tokens and dollars by cause; `rewriteDollars` belongs to the cause of this call's decision. */
  readonly saved: ReadonlyMap<NetCause, { readonly tokens: number; readonly dollars: number }>;
  readonly rewrite: { readonly cause: NetCause; readonly dollars: number } | undefined;
  readonly regrets: readonly LiveRegret[];
  /** What a mark at the end of the history would have saved in this call. */
  readonly marksDollars: number;
}

/** Why a result of this call is sent in another form. */
export function causeOfChange({ kind }: ProjectedResult, { report }: LoggedCall): NetCause {
  if (kind !== 'pruned') return kind;
  const cause = report?.decision?.cause;
  if (cause === undefined || cause === 'none' || cause === 'bound' || cause === 'unpriced' || cause === 'costs')
    return 'earlier';
  return cause;
}

/** Tokens that the provider did not get of a call that it answered; nothing where it refused the call. */
export const leftOutOf = ({ status, report }: LoggedCall): number => (status >= 400 ? 0 : (report?.savedTokens ?? 0));

function waitsIn(report: LoggedCall['report']): Pick<ConversationNumbers, 'waits'> {
  const { cause, reason = '' } = report?.decision ?? {};
  return cause === 'bound' || cause === 'unpriced' || cause === 'costs' ? { waits: { cause, reason } } : {};
}

/** How much of a prompt must be unchanged before its provider surely has it: the tokens before a change are an estimate. */
const MIN_KEPT_RATIO = 1.25;

/**
 * True if pruning left the start of a prompt as it was, and the provider read nothing of it where it finds each prefix again: it had
 * lost the whole prompt, also for a request that nothing was changed in.
 */
function hasLostPrefix({ model = '', usage, report }: LoggedCall): boolean {
  const { findsEachPrefix, leastTokens, stepTokens } = cacheRuleOf(model);
  const keptTokens = report?.decision?.changed?.keptTokens ?? 0;
  return findsEachPrefix && usage?.cachedTokens === 0 && keptTokens >= MIN_KEPT_RATIO * (leastTokens + stepTokens);
}

/** The call as the next one finds it. Not every provider with a Chat API says what it writes. */
function sentCall({ api, model, isToolWait }: LoggedCall, usage: ReportedUsage): SentCall {
  const { promptTokens, cachedTokens, writtenTokens, writtenHourTokens } = usage;
  const isTold = api === 'anthropic-messages' || api === 'openai-responses';
  const written = writtenTokens + writtenHourTokens;
  return {
    model,
    promptTokens,
    keptTokens: isTold ? keptTokens(model ?? '', { promptTokens, cachedTokens, writtenTokens: written }) : promptTokens,
    // Calls of earlier versions do not say it.
    wait: isToolWait === undefined ? undefined : isToolWait ? 'toolWait' : 'pause',
  };
}

interface Shares extends Pick<CountedCall, 'rewrite'> {
  readonly saved: Map<NetCause, { readonly tokens: number; readonly dollars: number }>;
}

/** The calls of one conversation, one after the other. */
export class ConversationLedger {
  readonly name: string;
  readonly #isBeside: boolean;
  readonly #tokens = new CountedTokens();
  #last: LastCall | undefined;
  #newest: LoggedCall | undefined;
  #firstAt = 0;
  #calls = 0;
  #dollars = 0;
  #netDollars = 0;
  #wasHour = false;
  /** True if its provider told of a hit: it may not tell of any. */
  #hasRead = false;
  /** The pings of ours since the last call. */
  #pings: { readonly callAt: number; readonly lastAt: number; readonly lifetimeMs: number } | undefined;
  /** Tokens that requests do not contain, by the cause for which each result was shortened. */
  readonly #savedBy = new Map<NetCause, number>();
  readonly #regretted = new Set<string>();
  #points: PromptPoint[] = [];
  #pointStep = 1;

  readonly #missed: MissedSavings;

  /** Without a key: requests beside conversations (titles, probes), which share nothing. `lengths`: of the pauses of all. */
  constructor(key: string | undefined, lengths: PauseLengths) {
    this.#missed = new MissedSavings(lengths);
    this.#isBeside = key === undefined;
    this.name = key === undefined ? 'beside' : conversationName(key);
  }

  /** Adds a call that ended after those before it. */
  add(given: LoggedCall): CountedCall {
    const call = this.#tokens.inCounted(given);
    const { at, model, usage, report } = call;
    // Calls of earlier versions have none.
    const { tookMs = 0 }: Partial<LoggedCall> = call;
    const startedAt = at - tookMs;
    if (call.ownPing) return this.#addOwnPing(call, startedAt, call.ownPing);
    if (report?.isPing) return this.#addPing(call, startedAt);
    if (this.#calls++ === 0) this.#firstAt = startedAt;
    this.#newest = call;
    for (const change of report?.changed ?? []) {
      const cause = causeOfChange(change, call);
      this.#savedBy.set(cause, (this.#savedBy.get(cause) ?? 0) + change.savedTokens);
    }
    const last = this.#last;
    const isExpired = this.#isExpiredFor(call, startedAt);
    const isCold = last === undefined || isExpired || isOtherModel(last.model, model);
    const isLost = this.#hasRead && hasLostPrefix(call);
    this.#hasRead ||= (usage?.cachedTokens ?? 0) > 0;
    const priced = pricedCall(call);
    const known = changedPrompt(call);
    const changed = isLost && known?.kind === 'pruned' ? undefined : known;
    const misses = priced ? this.#missesOf({ ...priced, model }, { changed, isExpired }) : [];
    const account = priced ? accountOf({ parts: priced.parts, misses }) : {};
    const lifetimeMs = (usage?.writtenHourTokens ?? 0) > 0 ? HOUR_MS : this.#lifetimeMs(model);
    const marksDollars =
      priced && !this.#isBeside
        ? this.#missed.add(call, priced, { misses, last, startedAt, changed, lifetimeMs, isExpired })
        : 0;
    const net = priced
      ? callNet(call, priced, { last, isCold: isCold || isLost })
      : { savedDollars: 0, rewriteDollars: 0 };
    const kept = this.#keptBy(priced, startedAt);
    this.#pings = undefined;
    this.#dollars += priced?.dollars ?? 0;
    this.#netDollars += net.savedDollars - net.rewriteDollars + (kept?.dollars ?? 0);
    if (usage) {
      this.#wasHour ||= usage.writtenHourTokens > 0;
      const savedTokens = leftOutOf(call);
      this.#last = { ...sentCall(call, usage), startedAt, savedTokens: call.isShadow ? 0 : savedTokens };
      this.#note(usage.promptTokens, call.isShadow ? -savedTokens : savedTokens);
    }
    const { saved, rewrite } = this.#sharesOf(call, net);
    if (kept) saved.set('ping', kept);
    return { call, priced, account, changed, saved, rewrite, regrets: this.#newRegrets(call), marksDollars };
  }

  /** A ping of ours only costs money, until a call reads what it kept. */
  #addOwnPing(call: LoggedCall, startedAt: number, { lifetimeMs }: NonNullable<LoggedCall['ownPing']>): CountedCall {
    const priced = pricedCall(call);
    const dollars = priced?.dollars ?? 0;
    this.#dollars += dollars;
    this.#netDollars -= dollars;
    const { callAt = this.#last?.startedAt ?? startedAt } = this.#pings ?? {};
    this.#pings = { callAt, lastAt: startedAt, lifetimeMs };
    if (this.#last) this.#last = { ...this.#last, startedAt };
    const account = priced ? pingAccount(priced.parts) : {};
    return {
      call,
      priced,
      account,
      changed: undefined,
      saved: new Map(),
      rewrite: { cause: 'ping', dollars },
      regrets: [],
      marksDollars: 0,
    };
  }

  /** What a call read from the cache only because of our pings; undefined if it is not known to. */
  #keptBy(priced: PricedCall | undefined, startedAt: number): { tokens: number; dollars: number } | undefined {
    if (this.#pings === undefined || priced === undefined) return undefined;
    const { callAt, lastAt, lifetimeMs } = this.#pings;
    const { price, usage } = priced;
    const isKept = startedAt - callAt >= lifetimeMs && startedAt - lastAt < lifetimeMs;
    if (!isKept || usage.cachedTokens === 0) return undefined;
    const prompt = { cachedTokens: usage.cachedTokens, price, lifetimeMs: this.#wasHour ? HOUR_MS : lifetimeMs };
    return { tokens: usage.cachedTokens, dollars: warmGain({ ...prompt, coldGain: 0 }) };
  }

  /** It costs money, reads the last prompt and is no call: what it did not find is missed by the call that made the prompt new. */
  #addPing(call: LoggedCall, startedAt: number): CountedCall {
    const priced = pricedCall(call);
    const last = this.#last;
    const net = priced ? callNet(call, priced, { last, isCold: false }) : { savedDollars: 0, rewriteDollars: 0 };
    this.#dollars += priced?.dollars ?? 0;
    this.#netDollars += net.savedDollars - net.rewriteDollars;
    if (last) this.#last = { ...last, startedAt };
    const account = priced ? pingAccount(priced.parts) : {};
    return { call, priced, account, changed: undefined, ...this.#sharesOf(call, net), regrets: [], marksDollars: 0 };
  }

  numbers(): ConversationNumbers {
    const { model, usage, at = 0, report } = this.#newest ?? {};
    const { promptTokens = this.#last?.promptTokens ?? 0, cachedTokens = 0 } = usage ?? {};
    const known = model === undefined ? 0 : contextLimitOfModel(model);
    return {
      conversation: this.name,
      model,
      calls: this.#calls,
      firstAt: this.#firstAt,
      lastAt: at,
      promptTokens,
      cachedTokens,
      savedTokens: report?.savedTokens ?? 0,
      // A window that the model's name does not tell is at least as large as what fits into it.
      windowTokens: promptTokens > known && known > 0 ? Math.max(1_000_000, promptTokens) : known,
      dollars: this.#dollars,
      netDollars: this.#netDollars,
      isOff: report?.isOff === true,
      isLate: report?.isLate === true,
      ...waitsIn(report),
      unknownTools: report?.unknownTools ?? [],
      // Calls of earlier versions have none.
      sentWhole: (report as Partial<PruneReport> | undefined)?.sentWhole ?? [],
      points: this.#points,
    };
  }

  #missesOf(
    { usage, model }: Pick<PricedCall, 'usage'> & Pick<LoggedCall, 'model'>,
    { changed, isExpired }: { readonly changed: ChangedPrompt | undefined; readonly isExpired: boolean },
  ): Misses {
    // Titles and probes share nothing.
    if (this.#isBeside) return [];
    const last = this.#last;
    const { promptTokens, cachedTokens } = usage;
    if (last === undefined)
      return changed?.kind === 'account' ? [{ cause: 'account', tokens: promptTokens - cachedTokens }] : 'first';
    return cacheMisses({ usage, model, last, changed: changed?.kind, isCold: isExpired });
  }

  #isExpiredFor({ model }: LoggedCall, startedAt: number): boolean {
    return this.#last !== undefined && startedAt - this.#last.startedAt >= this.#lifetimeMs(model);
  }

  #lifetimeMs(model = ''): number {
    return this.#wasHour ? HOUR_MS : cacheRuleOf(model).lifetimeMs;
  }

  /** What pings would have done; simulated. */
  get warm(): MissedSavings['warm'] {
    return this.#missed.warm;
  }

  /** Divides what a call saved among the causes, by the tokens that each keeps out of it. */
  #sharesOf(call: LoggedCall, { savedDollars, rewriteDollars }: CallNet): Shares {
    const { report } = call;
    const total = leftOutOf(call);
    const known = [...this.#savedBy.values()].reduce((sum, tokens) => sum + tokens, 0);
    // Less than is known of where a rewind took results back; more where earlier calls are not known here.
    const scale = total < known && known > 0 ? total / known : 1;
    const tokens = new Map([...this.#savedBy].map(([cause, own]) => [cause, own * scale]));
    if (total > known) tokens.set('earlier', (tokens.get('earlier') ?? 0) + total - known);
    const each = total === 0 ? 0 : savedDollars / total;
    const saved: Shares['saved'] = new Map(
      [...tokens].map(([cause, own]) => [cause, { tokens: own, dollars: own * each }]),
    );
    const cause = report?.changed
      .map((change) => causeOfChange(change, call))
      .find((one) => one !== 'repeat' && one !== 'told');
    return { saved, rewrite: rewriteDollars > 0 ? { cause: cause ?? 'earlier', dollars: rewriteDollars } : undefined };
  }

  #newRegrets({ report, at }: LoggedCall): LiveRegret[] {
    const files = (report?.neededAgain ?? []).filter((file) => !this.#regretted.has(file));
    for (const file of files) this.#regretted.add(file);
    return files.map((file) => ({ conversation: this.name, file, at }));
  }

  #note(tokens: number, saved: number): void {
    if (this.#calls % this.#pointStep !== 0) return;
    this.#points.push({ tokens, withoutPruning: tokens + saved });
    if (this.#points.length <= MAX_POINTS) return;
    this.#points = this.#points.filter((_, at) => at % 2 === 1);
    this.#pointStep *= 2;
  }
}
