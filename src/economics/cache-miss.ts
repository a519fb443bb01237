import { canonicalModel } from './model-name.ts';

/**
 * What differs from the request before: the agent continued from a summary (`compaction`), earlier messages (`history`), tool
 * definitions, the system prompt, the effort, thinking parameters, beta features, the account, or another setting of the request.
 */
export const CHANGE_KINDS = [
  'compaction',
  'tools',
  'system',
  'effort',
  'thinking',
  'betas',
  'settings',
  'history',
  'account',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What the agent waits for after an answer: its user (`pause`), or a tool that the answer called (`toolWait`). */
export type WaitKind = 'pause' | 'toolWait';

/**
 * Why tokens that the call before had sent were not read from the prompt cache. First, tokens that were in it: the cache had expired,
 * in a pause, in a tool wait, or in either of them (`expiry`); another model answered; something changed; `density` sent earlier text
 * in another form (`pruned`); or nothing that is known explains it (`lost`). Second, tokens that were not in it, because no mark
 * follows them, because the prompt was too short, or because they are in a field that the provider does not cache, as GPT-6.2 does not
 * cache `instructions` (`uncached`). Source: https://github.com/anomalyco/opencode/releases/tag/v2.3.2, read on 2026-11-29
 */
export const MISS_CAUSES = [
  'pause',
  'toolWait',
  'expiry',
  'modelSwitch',
  ...CHANGE_KINDS,
  'pruned',
  'lost',
  'uncached',
] as const;
export type MissCause = (typeof MISS_CAUSES)[number];

/** A smaller miss is the end of the last prompt, which providers do not always cache. */
const MIN_MISS_TOKENS = 1024;

export interface CacheMiss {
  readonly cause: MissCause;
  readonly tokens: number;
}

/** A call as the next one finds it. */
export interface SentCall {
  readonly model: string | undefined;
  readonly promptTokens: number;
  /** The part of its prompt that was in the cache after it; all where the provider does not say what it writes. */
  readonly keptTokens: number;
  /** What the agent waited for after it; absent where that is not known. */
  readonly wait?: WaitKind | undefined;
}

interface MissFacts {
  readonly usage: { readonly promptTokens: number; readonly cachedTokens?: number | undefined };
  readonly model: string | undefined;
  /** The call before; absent for the first one. */
  readonly last: SentCall | undefined;
  /** How the prompt of that call was changed since, if it was. */
  readonly changed: ChangeKind | 'pruned' | undefined;
  /** True if nothing of it can be in the cache any more. */
  readonly isCold: boolean;
}

/** What a call did not read from the cache though the call before had sent it, and why; none where it read all but 1,024 tokens. */
export function cacheMisses(facts: MissFacts): readonly CacheMiss[] {
  const { last } = facts;
  const { promptTokens, cachedTokens = 0 } = facts.usage;
  if (last === undefined) return [];
  const sent = Math.min(promptTokens, last.promptTokens);
  const kept = Math.min(sent, last.keptTokens);
  const misses: CacheMiss[] = [
    { cause: causeOf(facts, last), tokens: kept - cachedTokens },
    { cause: 'uncached', tokens: sent - Math.max(kept, cachedTokens) },
  ];
  return misses.filter(({ tokens }) => tokens >= MIN_MISS_TOKENS);
}

/** A cache that had expired is the cause, whatever else changed meanwhile; but a summary would have been new text all the same. */
function causeOf({ model, changed, isCold }: MissFacts, last: SentCall): MissCause {
  if (changed === 'compaction') return changed;
  if (isCold) return last.wait ?? 'expiry';
  if (isOtherModel(last.model, model)) return 'modelSwitch';
  return changed ?? 'lost';
}

/** True for text that was in the cache too long ago. */
export const isExpiry = (cause: MissCause): boolean => cause === 'pause' || cause === 'toolWait' || cause === 'expiry';

/** True if both models are known, and share no cache. */
export const isOtherModel = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && canonicalModel(one) !== canonicalModel(other);
