import { madeOnce } from '../../content/group-by.ts';
import { accountSum, type CacheAccount } from '../../economics/account/cache-account.ts';
import type { UnpricedPart } from '../../economics/served-price.ts';
import { PauseLengths, RECORDED_PAUSES } from '../../economics/warm/pause-lengths.ts';
import type { GuardKind } from '../../guard/guard-log.ts';
import type { PruneReport } from '../../live/contract.ts';
import { isPossiblePrompt } from '../../tokens/possible-prompt.ts';
import type { LoggedCall } from '../call-log.ts';
import { ChangeSums } from './changed-prompt.ts';
import {
  type CauseNet,
  type LedgerNumbers,
  type LiveRegret,
  NET_CAUSES,
  type NetCause,
  type RemovedRow,
} from './contract.ts';
import { ConversationLedger, type CountedCall, causeOfChange, leftOutOf } from './conversation-ledger.ts';

const MAX_ROWS = 300;
const MAX_REGRETS = 200;
const MAX_CONVERSATIONS = 200;
const MAX_REASONS = 2_000;
/** The number of newest calls for the median and the 99th percentile. */
const MAX_WAITS = 10_000;

type Sums = Record<
  | 'calls'
  | 'promptTokens'
  | 'cachedTokens'
  | 'outputTokens'
  | 'savedTokens'
  | 'knownSavedTokens'
  | 'changedResults'
  | 'epochs'
  | 'refused'
  | 'dollars'
  | 'marksDollars'
  | 'unpricedCalls'
  | 'contradictedCalls'
  | 'netDollars',
  number
>;

type SummedNumbers = Pick<
  LedgerNumbers,
  Exclude<keyof Sums, 'contradictedCalls' | 'knownSavedTokens' | 'marksDollars'> | 'net' | 'reasons'
> &
  Partial<LedgerNumbers>;

/** True if a provider said a number of tokens that cannot be of the prompt that was sent. */
function isContradicted({ usage, report, isShadow }: LoggedCall): boolean {
  // Calls of earlier versions have no `sentTokens`.
  const { sentTokens = 0, savedTokens = 0 }: Partial<PruneReport> = report ?? {};
  return usage !== undefined && !isPossiblePrompt(usage.promptTokens, sentTokens + (isShadow ? savedTokens : 0));
}

const warmSum = (all: readonly LedgerNumbers['warm'][]): LedgerNumbers['warm'] => ({
  pings: all.reduce((sum, { pings }) => sum + pings, 0),
  pingDollars: all.reduce((sum, { pingDollars }) => sum + pingDollars, 0),
  savedDollars: all.reduce((sum, { savedDollars }) => sum + savedDollars, 0),
});

/** Sums of earlier versions do not tell what the dollars were spent on. */
const untold = ({ calls, promptTokens, dollars }: SummedNumbers): CacheAccount => ({
  untold: { calls, count: promptTokens, dollars },
});

interface Changing {
  results: number;
  savedTokens: number;
  savedDollars: number;
  rewriteDollars: number;
}

/** The one model of numbers about calls that went through: fed call by call, in the order of their ends. */
export class Ledger {
  readonly #sums: Sums = {
    calls: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    savedTokens: 0,
    knownSavedTokens: 0,
    changedResults: 0,
    epochs: 0,
    refused: 0,
    dollars: 0,
    marksDollars: 0,
    unpricedCalls: 0,
    contradictedCalls: 0,
    netDollars: 0,
  };
  readonly #copiedMarkers: Record<GuardKind, number> = { refused: 0, told: 0, passed: 0 };
  readonly #conversations = new Map<string | undefined, ConversationLedger>();
  readonly #net = new Map<NetCause, Changing>();
  #account: CacheAccount = {};
  readonly #changes = new ChangeSums();
  readonly #lengths = new PauseLengths(RECORDED_PAUSES);
  /** Of conversations that are not kept any more. */
  #earlierWarm = warmSum([]);
  readonly #reasons = new Map<string, { results: number; tokens: number }>();
  readonly #unpricedParts = new Map<string, UnpricedPart>();
  readonly #regrets: LiveRegret[] = [];
  readonly #removed: RemovedRow[] = [];
  readonly #waits: number[] = [];

  /** Calls that only count tokens are left out. Cost: what the call changed. */
  add(given: LoggedCall): void {
    if (given.isCount) return;
    const conversation = this.#conversationOf(given);
    const counted = conversation.add(isContradicted(given) ? { ...given, usage: undefined } : given);
    const { call } = counted;
    const { usage, report } = call;
    const changed = report?.changed ?? [];
    const told = changed.filter(({ kind }) => kind === 'told').length;
    this.#copiedMarkers.told += told;
    const isPing = report?.isPing === true;
    this.#addToSums({
      calls: isPing ? 0 : 1,
      promptTokens: usage?.promptTokens ?? 0,
      cachedTokens: usage?.cachedTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      savedTokens: leftOutOf(call),
      knownSavedTokens: usage === undefined ? 0 : leftOutOf(call),
      changedResults: changed.length - told,
      epochs: report?.isEpoch ? 1 : 0,
      refused: call.isResent ? 1 : 0,
      dollars: counted.priced?.dollars ?? 0,
      marksDollars: counted.marksDollars,
      unpricedCalls: counted.priced === undefined && !isPing ? 1 : 0,
      contradictedCalls: isContradicted(given) ? 1 : 0,
      netDollars: 0,
    });
    if (call.ownPing) this.#ofCause('ping').results++;
    else keepNewest(this.#waits, [call.addedMs], MAX_WAITS);
    keepNewest(this.#regrets, counted.regrets, MAX_REGRETS);
    for (const part of counted.priced?.unpriced ?? []) this.#addUnpriced(part);
    this.#addNet(counted);
    this.#account = accountSum([this.#account, counted.account]);
    if (counted.changed) this.#changes.addCall(counted.account, counted.changed);
    this.#addChanges(call, conversation.name);
  }

  /** A call that would write a marker, which no request shows. */
  addGuarded(kind: GuardKind): void {
    this.#copiedMarkers[kind]++;
  }

  /** Calls whose sums alone are known. */
  addSums(given: SummedNumbers): void {
    // Earlier versions have not all of them.
    this.#copiedMarkers.told += given.copiedMarkers?.told ?? 0;
    this.#addToSums({ contradictedCalls: 0, knownSavedTokens: given.savedTokens, marksDollars: 0, ...given });
    for (const { cause, netDollars: _, ...more } of given.net) {
      const own = this.#ofCause(cause);
      for (const name of Object.keys(more) as (keyof Changing)[]) own[name] += more[name];
    }
    for (const part of given.unpricedParts ?? []) this.#addUnpriced(part);
    this.#account = accountSum([this.#account, given.account ?? untold(given)]);
    for (const change of given.changes ?? []) this.#changes.add(change);
    if (given.warm) this.#earlierWarm = warmSum([this.#earlierWarm, given.warm]);
    for (const { reason, results, tokens } of given.reasons) this.#addReason(reason, { results, tokens });
  }

  #addToSums(more: Sums): void {
    for (const name of Object.keys(this.#sums) as (keyof Sums)[]) this.#sums[name] += more[name];
  }

  numbers(): LedgerNumbers {
    const waits = [...this.#waits].sort((one, other) => one - other);
    const at = (ratio: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * ratio))] ?? 0;
    const net = NET_CAUSES.flatMap((cause): CauseNet[] => {
      const own = this.#net.get(cause);
      return own ? [{ cause, ...own, netDollars: own.savedDollars - own.rewriteDollars }] : [];
    });
    const besides = this.#conversations.get(undefined);
    const talks = [...this.#conversations.values()].filter((one) => one !== besides).reverse();
    if (besides) talks.push(besides);
    return {
      ...this.#sums,
      copiedMarkers: { ...this.#copiedMarkers },
      unpricedParts: [...this.#unpricedParts.values()],
      medianAddedMs: at(0.5),
      p99AddedMs: at(0.99),
      net,
      account: this.#account,
      changes: this.#changes.list,
      warm: warmSum([this.#earlierWarm, ...talks.map(({ warm }) => warm)]),
      regrets: this.#regrets.toReversed(),
      conversations: talks.map((one) => one.numbers()),
      removed: this.#removed.toReversed(),
      reasons: [...this.#reasons]
        .map(([reason, own]) => ({ reason, ...own }))
        .sort((one, other) => other.results - one.results),
    };
  }

  #conversationOf({ report }: LoggedCall): ConversationLedger {
    const key = report?.conversation;
    const known = this.#conversations.get(key) ?? new ConversationLedger(key, this.#lengths);
    // The last used one is at the end.
    this.#conversations.delete(key);
    this.#conversations.set(key, known);
    const [oldest] = this.#conversations;
    if (oldest && this.#conversations.size > MAX_CONVERSATIONS) {
      this.#earlierWarm = warmSum([this.#earlierWarm, oldest[1].warm]);
      this.#conversations.delete(oldest[0]);
    }
    return known;
  }

  #ofCause(cause: NetCause): Changing {
    return madeOnce(this.#net, cause, () => ({ results: 0, savedTokens: 0, savedDollars: 0, rewriteDollars: 0 }));
  }

  #addNet({ saved, rewrite }: CountedCall): void {
    for (const [cause, { tokens, dollars }] of saved) {
      const own = this.#ofCause(cause);
      own.savedTokens += tokens;
      own.savedDollars += dollars;
      this.#sums.netDollars += dollars;
    }
    if (rewrite === undefined) return;
    this.#ofCause(rewrite.cause).rewriteDollars += rewrite.dollars;
    this.#sums.netDollars -= rewrite.dollars;
  }

  #addUnpriced({ part, name, count }: UnpricedPart): void {
    const key = `${part} ${name}`;
    if (!this.#unpricedParts.has(key) && this.#unpricedParts.size >= MAX_REASONS) return;
    this.#unpricedParts.set(key, { part, name, count: count + (this.#unpricedParts.get(key)?.count ?? 0) });
  }

  #addReason(reason: string, more: { readonly results: number; readonly tokens: number }): void {
    if (!this.#reasons.has(reason) && this.#reasons.size >= MAX_REASONS) return;
    const { results, tokens } = this.#reasons.get(reason) ?? { results: 0, tokens: 0 };
    this.#reasons.set(reason, { results: results + more.results, tokens: tokens + more.tokens });
  }

  #addChanges(call: LoggedCall, conversation: string): void {
    const rows = (call.report?.changed ?? []).map((change): RemovedRow => {
      const { kind, what = 'result', reason, hash, savedTokens } = change;
      const cause = causeOfChange(change, call);
      this.#ofCause(cause).results++;
      this.#addReason(reason, { results: 1, tokens: savedTokens });
      const decision = kind === 'pruned' ? call.report?.decision?.reason : undefined;
      return {
        at: call.at,
        conversation,
        kind,
        cause,
        what,
        reason,
        savedTokens,
        ...(hash !== undefined && { hash }),
        ...(decision !== undefined && { decision }),
      };
    });
    keepNewest(this.#removed, rows, MAX_ROWS);
  }
}

function keepNewest<Item>(list: Item[], items: readonly Item[], most: number): void {
  for (const item of items) list.push(item);
  if (list.length > most) list.splice(0, list.length - most);
}
