import type { PastCall } from './account/past-calls.ts';
import type { CacheRule } from './cache-rules.ts';
import type { FurtherCalls } from './further-calls.ts';
import type { ModelPrice } from './prices.ts';

/** An edit that waits: `at` is the first entry that it changes, `savedTokens` what the prompt loses by it. */
export interface Candidate {
  readonly at: number;
  readonly savedTokens: number;
}

/** A conversation before a send, without the edits that wait. */
export interface WaitingConversation {
  /** Tokens of each entry, in order. */
  readonly tokens: readonly number[];
  /** Blocks of each entry. */
  readonly blocks: readonly number[];
  /** Tokens of the system prompt and the tools, which come before the entries. */
  readonly constantTokens: number;
  /** Tokens that are sent after the entries. */
  readonly pendingTokens: number;
  /** The number of entries that the last send contained, unchanged since: the provider may have cached them. 0: none was sent. */
  readonly sentEntries: number;
  /** Milliseconds since the last send; `undefined` if that is not known (a restart, no clock): the cache then counts as warm. */
  readonly idleMs: number | undefined;
  /** The last entry with signed thinking; -1 for none. Read only where a provider binds thinking. */
  readonly lastThinkingAt: number;
  /** Model calls so far. */
  readonly callsMade: number;
  /** The known calls, in order. A change may cost at most what pruning saved in them, and the provider has cached their prompts. */
  readonly pastCalls: readonly PastCall[];
}

/** What a change costs here. */
export interface CostRules {
  /** The name of the model, as the conversation has it. */
  readonly model: string;
  readonly price: ModelPrice;
  readonly cache: CacheRule;
  /** How long the provider keeps this conversation's prefix: the longest lifetime that a request of it asked for. */
  readonly lifetimeMs: number;
  readonly furtherCalls: FurtherCalls;
  /** The prompt that makes the agent compress, in tokens; absent: not known. */
  readonly thresholdTokens?: number;
}

/**
 * Why edits apply: nothing of them was sent yet (`unsent`), the cache has expired (`cold`), a
 * price tier or a compression is avoided (`tier`, `room`), or they pay for the prefix that is written again (`pays`).
 * Why they wait: no edits, earlier thinking would be lost (`bound`), the cache may have what changes and no price is known
 * (`unpriced`), or they cost more than they save (`costs`).
 */
export type DecisionCause = 'unsent' | 'cold' | 'tier' | 'room' | 'pays' | 'none' | 'bound' | 'unpriced' | 'costs';

export interface Decision<Edit extends Candidate = Candidate> {
  /** The edits to apply now, in ascending order of `at`: always the last ones, from some entry on. */
  readonly apply: readonly Edit[];
  readonly cause: DecisionCause;
  /** One plain sentence without a period at its end. */
  readonly reason: string;
  /** US dollars that applying is expected to save, what is written again already paid. Never negative; 0 if nothing applies or no price is known. */
  readonly expectedNet: number;
  /** US dollars that this call costs more because of it; negative if it costs less; 0 if nothing applies or no price is known. */
  readonly costNow: number;
  /** Tokens that the prompt loses, and those before the first change; absent if nothing applies. */
  readonly changed?: { readonly savedTokens: number; readonly keptTokens: number };
}

/** What one choice of edits does: all that change an entry from `at` on. */
export interface Choice {
  readonly first: number;
  readonly savedTokens: number;
  /** Tokens of the prompt before the first changed entry. */
  readonly keptTokens: number;
  /** Cached tokens that are written again. */
  readonly rewrittenTokens: number;
  /** Dollars: what this call costs more, what each further call saves at least, and all together. */
  readonly costNow: number;
  readonly savedPerCall: number;
  readonly net: number;
  /** Dollars above what a choice must return to be worth its cost. */
  readonly margin: number;
  /** False if it costs more now than the account of the conversation can lose. */
  readonly isAffordable: boolean;
  readonly tierNet: number;
  readonly roomNet: number;
}

/** What is known before any edit is chosen. */
export interface DecisionState {
  readonly rules: CostRules;
  readonly promptTokens: number;
  /** US dollars for the prompt if nothing changes. */
  readonly promptCost: number;
  /** Tokens of the prompt before each entry. */
  readonly tokensBefore: readonly number[];
  /** The tokens before each entry that the provider still finds in its cache if that entry changes. */
  readonly foundBefore: readonly number[];
  /** Tokens of the prompt that the provider has cached. */
  readonly cachedTokens: number;
  readonly idleMs: number | undefined;
  readonly wasSent: boolean;
  readonly isCold: boolean;
  readonly growthTokens: number;
  /** US dollars that may be lost if the session ends now. */
  readonly riskableDollars: number;
}
