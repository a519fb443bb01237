import type { IContent } from '../content/content.ts';
import { cachedFileAccess } from '../content/files/cached-file-access.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { Billing } from '../economics/bill.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { priceOf } from '../economics/prices.ts';
import { PromptCache } from '../economics/prompt-cache.ts';
import type { Session } from '../formats/contract.ts';
import { BUILT_IN_PROFILES } from '../settings/built-in-profiles.ts';
import type { EphemeralSettings } from '../settings/registry.ts';
import { createEphemerals } from '../settings/resolve.ts';
import { NO_PRUNING } from './policy.ts';
import { type ContextMove, entriesAfter, PolicyRun } from './policy-run.ts';

/** Nothing is compressed: a smaller context after a compression would be compared with a larger one that kept more. */
const NO_WINDOW = { 'context-limit': 10_000_000 };

export interface BilledSession {
  readonly session: Session;
  readonly vocabulary: ToolVocabulary;
  /** The model whose prices and cache count. */
  readonly model: string;
  /** Minutes that prefixes are kept; absent: as the model does by default. */
  readonly cacheMinutes?: number | undefined;
  /** The repository of a recorded session, whose own length the decision must not know. */
  readonly repository?: string | undefined;
  readonly tokensOf: (entry: IContent) => number;
  /** System prompt and tools. */
  readonly constantTokens: number;
}

/** Simulated US dollars of the recorded calls. `moves`: what `recommended` changed. */
export interface RecommendedBill {
  readonly without: number;
  readonly recommended: number;
  readonly moves: readonly ContextMove[];
}

/** What the recorded calls cost, at their recorded times, without pruning and with the profile `recommended`; both are simulated. */
export async function recommendedBill(billed: BilledSession): Promise<RecommendedBill> {
  const { session, model, cacheMinutes } = billed;
  const fileAccess = cachedFileAccess();
  const timing = cacheMinutes === undefined ? {} : { 'compression.density.cacheMinutes': cacheMinutes };
  const played = (settings: EphemeralSettings): Promise<readonly ContextMove[]> =>
    new PolicyRun(session, {
      ...billed,
      ephemerals: createEphemerals([settings, NO_WINDOW, timing], { model }),
      fileAccess,
    }).play();
  const unpruned = await played(NO_PRUNING.settings);
  const moves = await played(BUILT_IN_PROFILES['recommended']!);
  return { without: dollarsOf(billed, unpruned), recommended: dollarsOf(billed, moves), moves };
}

/** What the calls of a session cost with these changes of its context. */
function dollarsOf(billed: BilledSession, moves: readonly ContextMove[]): number {
  const { session, model, cacheMinutes, tokensOf, constantTokens } = billed;
  const rule = cacheRuleOf(model);
  const lifetimeMs = cacheMinutes === undefined ? rule.lifetimeMs : cacheMinutes * 60_000;
  const cache = new PromptCache({ tokensOf, thinkingTokensOf: () => 0, constantTokens });
  const billing = new Billing(priceOf(model), { ...rule, lifetimeMs });
  let entries: IContent[] = [];
  let nowMs: number | undefined;
  let next = 0;
  for (const [at, event] of session.events.entries()) {
    for (let move = moves[next]; move?.event === at; move = moves[++next]) entries = entriesAfter(entries, move);
    if (event.kind === 'replace') continue;
    const { content } = event;
    if (content.speaker === 'ai')
      billing.add(cache.call(entries, nowMs), content.metadata?.usage?.completionTokens ?? tokensOf(content));
    entries.push(content);
    nowMs = content.metadata?.timestamp ?? nowMs;
  }
  return billing.bill.dollars;
}
