import type { IContent } from '../content/content.ts';
import { cachedFileAccess } from '../content/files/cached-file-access.ts';
import { vocabularyWithListed } from '../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { type CacheFacts, cachedTokensOf, PromptCache } from '../economics/prompt-cache.ts';
import { PauseLengths, RECORDED_PAUSES } from '../economics/warm/pause-lengths.ts';
import type { Session } from '../formats/contract.ts';
import { recordedLifetimeMs, withRecordedLifetime } from '../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf } from '../sessions/constant-tokens.ts';
import { createEphemerals } from '../settings/resolve.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';
import { entryTokens } from './entry-tokens.ts';
import { modelCalls } from './played-events.ts';
import type { ComparedProfile } from './policy.ts';
import { PlayedSession, type ProfileOutcome } from './policy-outcome.ts';
import { PolicyRun } from './policy-run.ts';

/** A session and the options to play it with. */
export interface ComparedSession {
  readonly session: Session;
  readonly vocabulary: ToolVocabulary;
  readonly model: string;
  readonly countBlock: CountBlock;
  /** The repository of a recorded session from the sets that session lengths were measured on. */
  readonly repository?: string;
}

/** The outcomes of one session under each of these profiles. Asks no model. @throws as the strategies do. */
export async function compareProfiles(
  compared: ComparedSession,
  policies: readonly ComparedProfile[],
): Promise<readonly ProfileOutcome[]> {
  const { session, vocabulary, model, countBlock } = compared;
  const tokensOf = entryTokens(compared);
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  const fileAccess = cachedFileAccess();
  const { lifetimeMs } = cacheOf(compared);
  const played = new PlayedSession(session, { model, countBlock, tokensOf, constantTokens, lifetimeMs });
  const outcomes: ProfileOutcome[] = [];
  for (const { name, settings, keepsWarm } of policies) {
    const ephemerals = withRecordedLifetime(createEphemerals([settings], { model }), session);
    const run = new PolicyRun(session, {
      ephemerals,
      model,
      repository: compared.repository,
      vocabulary: vocabularyWithListed(ephemerals.densityRules?.()?.tools ?? [], vocabulary),
      tokensOf,
      constantTokens,
      fileAccess,
      ...(keepsWarm && { keepsWarm: new PauseLengths(RECORDED_PAUSES) }),
    });
    const moves = await run.play();
    const leftOpen = keepsWarm && { leftOpenDollars: run.leftOpen().dollars };
    outcomes.push({ policy: name, ...played.under(moves, run.pings), ...leftOpen });
  }
  return outcomes;
}

/** The cost model compared with the recorded usage; `undefined` if there is none. */
export function playedAsRecorded(compared: ComparedSession): UsageCheck | undefined {
  const tokensOf = entryTokens(compared);
  const constantTokens = constantTokensOf(compared.session, { tokensOf, countBlock: compared.countBlock });
  return checkUsage(compared.session, { tokensOf, constantTokens, cache: cacheOf(compared) });
}

/** The rules of the model's cache, with the lifetime that the agent asked for. */
function cacheOf({ session, model }: ComparedSession): CacheFacts {
  const rule = cacheRuleOf(model);
  return { ...rule, lifetimeMs: recordedLifetimeMs(session) ?? rule.lifetimeMs };
}

/** The cost model's tokens beside those that the provider reported, over the calls of a session that have both. */
export interface UsageCheck {
  readonly calls: number;
  readonly promptTokens: { readonly modelled: number; readonly recorded: number };
  readonly cachedTokens: { readonly modelled: number; readonly recorded: number };
  /** The error of the modelled share of cached input, per call (0-1). */
  readonly shareErrors: readonly number[];
}

/**
 * The modelled prompt cache compared with the reports of the provider, for `session` as it was recorded. `undefined` if no
 * report contains a cached token: nothing says that a cache was used. Without copied calls. Linear in entries for each call.
 */
export function checkUsage(
  session: Session,
  { tokensOf, constantTokens, cache: facts }: UsageCheckOptions,
): UsageCheck | undefined {
  const cache = new PromptCache({ tokensOf, thinkingTokensOf: () => 0, constantTokens });
  const prompt = { modelled: 0, recorded: 0 };
  const cached = { modelled: 0, recorded: 0 };
  const shareErrors: number[] = [];
  for (const { entries, atMs, answer, isCopied } of modelCalls(session)) {
    const call = cache.call(entries, atMs);
    const { usage } = answer.metadata ?? {};
    if (isCopied || usage === undefined || usage.reported || usage.promptTokens === 0) continue;
    const recordedCached = usage.cachedTokens ?? 0;
    const cachedTokens = cachedTokensOf(call, facts);
    prompt.modelled += call.promptTokens;
    prompt.recorded += usage.promptTokens;
    cached.modelled += cachedTokens;
    cached.recorded += recordedCached;
    const share = call.promptTokens === 0 ? 0 : cachedTokens / call.promptTokens;
    shareErrors.push(Math.abs(share - recordedCached / usage.promptTokens));
  }
  if (cached.recorded === 0) return undefined;
  return { calls: shareErrors.length, promptTokens: prompt, cachedTokens: cached, shareErrors };
}

interface UsageCheckOptions {
  readonly tokensOf: (entry: IContent) => number;
  readonly constantTokens: number;
  readonly cache: CacheFacts;
}
