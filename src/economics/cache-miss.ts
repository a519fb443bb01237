import { canonicalModel } from './model-name.ts';

/**
 * Why a call read less from the prompt cache than the call before it had sent: the first call of a session (`coldStart`),
 * the agent continued from a summary (`compaction`), another model answered (`modelSwitch`), the agent changed or left
 * earlier entries (`prefixChanged`), the cache had expired (`expiry`), earlier text was sent in another form under `density wrap`
 * (`pruned`), or nothing that is known explains it (`lost`): then the provider lost it, or something changed that nobody
 * recorded, such as tool definitions.
 */
export const MISS_CAUSES = [
  'coldStart',
  'compaction',
  'modelSwitch',
  'prefixChanged',
  'expiry',
  'pruned',
  'lost',
] as const;
export type MissCause = (typeof MISS_CAUSES)[number];

/** A smaller miss is the end of the last prompt, which providers do not always cache. */
const MIN_MISS_TOKENS = 1024;

/** `Changed`: how a prompt that was sent can have been changed since. */
export interface CacheMiss<Changed extends string> {
  readonly cause: Changed | 'coldStart' | 'modelSwitch' | 'expiry' | 'lost';
  readonly tokens: number;
  /** More than reading these tokens from the cache would have cost; 0 without a known price. */
  readonly dollars: number;
}

interface Call {
  readonly model: string | undefined;
  readonly promptTokens: number;
}

interface MissFacts<Changed> {
  readonly usage: { readonly promptTokens: number; readonly cachedTokens?: number | undefined };
  readonly model: string | undefined;
  /** The call before; absent for the first one. */
  readonly last: Call | undefined;
  /** How the prompt of that call was changed since, if it was. */
  readonly changed: Changed | undefined;
  /** True if nothing of it can be in the cache any more. */
  readonly isCold: boolean;
  /** Dollars per million tokens. */
  readonly rates: { readonly write: number; readonly cachedRead: number } | undefined;
}

/** What a call did not read from the cache though the call before had sent it, and why; undefined where it read all but 1,024 tokens. */
export function cacheMiss<Changed extends string>(facts: MissFacts<Changed>): CacheMiss<Changed> | undefined {
  const { usage, last, rates = { write: 0, cachedRead: 0 } } = facts;
  const tokens = Math.min(usage.promptTokens, last?.promptTokens ?? usage.promptTokens) - (usage.cachedTokens ?? 0);
  if (tokens < MIN_MISS_TOKENS) return undefined;
  return { cause: causeOf(facts), tokens, dollars: (tokens * (rates.write - rates.cachedRead)) / 1e6 };
}

function causeOf<Changed extends string>({
  last,
  model,
  changed,
  isCold,
}: MissFacts<Changed>): CacheMiss<Changed>['cause'] {
  if (last === undefined) return 'coldStart';
  if (changed === 'compaction') return changed;
  if (last.model !== undefined && model !== undefined && canonicalModel(last.model) !== canonicalModel(model))
    return 'modelSwitch';
  return changed ?? (isCold ? 'expiry' : 'lost');
}
