import type { accountOf, CacheAccount } from '../../economics/account/cache-account.ts';
import type { DecisionCause } from '../../economics/decision.ts';
import type { UnpricedPart } from '../../economics/served-price.ts';
import type { WarmWorth } from '../../economics/warm/warm-worth.ts';
import type { GuardKind } from '../../guard/guard-log.ts';
import type { ProjectionKind, WholeKind } from '../../live/contract.ts';
import type { ChangeSum } from './changed-prompt.ts';

/** What a call missed in the cache. */
export type Misses = Parameters<typeof accountOf>[0]['misses'];

/**
 * Why a result is sent in a shorter form: it repeats one that is sent (`repeat`); it was put in place of an empty answer
 * (`healed`); it says that its call wrote a marker (`told`); a rule removed it, at a moment that the decision found (`unsent` to `pays`, as in docs/economics.md); or a run
 * decided it whose calls are not among these (`earlier`). `ping`: nothing was shortened, but a ping kept the prompt in the cache.
 */
export const NET_CAUSES = [
  'repeat',
  'healed',
  'told',
  'unsent',
  'cold',
  'pays',
  'tier',
  'room',
  'earlier',
  'ping',
] as const;
export type NetCause = (typeof NET_CAUSES)[number];

/** Why edits wait, as in docs/economics.md. */
export type WaitingCause = Extract<DecisionCause, 'bound' | 'unpriced' | 'costs'>;

/** Money of one cause against sending the originals. Dollars are list prices; with `--shadow`: what it would have been. */
export interface CauseNet {
  readonly cause: NetCause;
  /** Results that are sent in another form because of it; for `ping`: pings. */
  readonly results: number;
  /** Tokens that requests did not contain, over all calls; for `ping`: that calls read from the cache because of pings. */
  readonly savedTokens: number;
  /** Dollars of these tokens at the prices of each call. */
  readonly savedDollars: number;
  /** Dollars for cached text that was written again; for `ping`: for pings. */
  readonly rewriteDollars: number;
  /** The difference of both; negative where it cost money. */
  readonly netDollars: number;
}

/** A file whose removed text was needed again. */
export interface LiveRegret {
  readonly conversation: string;
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The prompt of a call as the provider counted it, and what it would have been. */
export interface PromptPoint {
  readonly tokens: number;
  readonly withoutPruning: number;
}

export interface ConversationNumbers {
  /** The start of its name, which says nothing of its text; `beside` for titles, probes and other requests of none. */
  readonly conversation: string;
  readonly model: string | undefined;
  readonly calls: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The prompt of the last call, as the provider counted it. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** What pruning left out of the last call, estimated. */
  readonly savedTokens: number;
  readonly windowTokens: number;
  readonly dollars: number;
  readonly netDollars: number;
  /** True if nothing new was changed in the last call, because it or its folder is switched off. */
  readonly isOff: boolean;
  /** True if nothing new was changed in the last call, because all of the time that this may take was over. */
  readonly isLate: boolean;
  /** Why edits waited at the last call, as one sentence; absent where none did. */
  readonly waits?: { readonly cause: WaitingCause; readonly reason: string };
  /** Unknown tools of the last call. Text that they make stale is kept. */
  readonly unknownTools: readonly string[];
  /** What of the last call nothing can shorten, the most first. */
  readonly sentWhole: readonly WholeKind[];
  /** At most 400 of its calls: every second, fourth … call of a longer conversation. */
  readonly points: readonly PromptPoint[];
}

/** A result that was sent in another form for the first time. */
export interface RemovedRow {
  readonly at: number;
  readonly conversation: string;
  readonly kind: ProjectionKind;
  readonly cause: NetCause;
  readonly what: string;
  readonly reason: string;
  /** What `density show` finds the text by. */
  readonly hash?: string;
  readonly savedTokens: number;
  /** Why it was done at this moment; absent where nothing had to be decided. */
  readonly decision?: string;
}

/** The numbers of calls that went through the proxy: the page and `density stats` show these. */
export interface LedgerNumbers {
  readonly calls: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Tokens that the requests did not contain because of pruning, estimated. */
  readonly savedTokens: number;
  /** The part of them that is of calls whose usage is known: what `promptTokens` can be compared with. */
  readonly knownSavedTokens: number;
  /** Results that were sent in another form for the first time. */
  readonly changedResults: number;
  readonly epochs: number;
  /** Calls that would have written a marker, or wrote one, by what was done about it. */
  readonly copiedMarkers: Readonly<Record<GuardKind, number>>;
  /** Changed requests that the provider refused and that were sent again as they were. */
  readonly refused: number;
  readonly dollars: number;
  /** What a mark at the end of each history would have saved, with a key of the API; simulated. Negative where nobody reads what it writes. */
  readonly marksDollars: number;
  /** Calls whose model has no known price; their dollars are in no sum. */
  readonly unpricedCalls: number;
  /** What was billed in other calls without a known price; its dollars are in no sum. Numbers of earlier versions have none. */
  readonly unpricedParts?: readonly UnpricedPart[];
  /** Answers whose usage cannot be: it is in no sum. */
  readonly contradictedCalls: number;
  /** The median of the time that requests waited here, in milliseconds. */
  readonly medianAddedMs: number;
  readonly p99AddedMs: number;
  readonly netDollars: number;
  /** Causes that occurred. */
  readonly net: readonly CauseNet[];
  /** What the dollars were spent on. */
  readonly account: CacheAccount;
  /** What pings would have done in the conversations that are known one by one, with a key of the API; simulated. */
  readonly warm: Omit<WarmWorth, 'leftOpenDollars'>;
  /** What the agent changed of what was in the cache, the most expensive first. */
  readonly changes: readonly ChangeSum[];
  readonly regrets: readonly LiveRegret[];
  /** The last used one first; requests beside conversations at the end. */
  readonly conversations: readonly ConversationNumbers[];
  /** The newest first, at most 300. */
  readonly removed: readonly RemovedRow[];
  /** The most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly results: number; readonly tokens: number }[];
}
