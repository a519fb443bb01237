import { cachedFileAccess } from '../content/files/cached-file-access.ts';
import { vocabularyWithListed } from '../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import type { CacheFacts } from '../economics/prompt-cache.ts';
import type { Session } from '../formats/contract.ts';
import { recordedCacheMinutes, withRecordedLifetime } from '../replay/recorded/recorded-lifetime.ts';
import { constantTokensOf } from '../sessions/constant-tokens.ts';
import { createEphemerals } from '../settings/resolve.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';
import { entryTokens } from './entry-tokens.ts';
import type { ComparedProfile } from './policy.ts';
import { PlayedSession, type ProfileOutcome } from './policy-outcome.ts';
import { PolicyRun } from './policy-run.ts';
import { checkUsage, type UsageCheck } from './usage-check.ts';

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
  for (const { name, settings } of policies) {
    const ephemerals = withRecordedLifetime(createEphemerals([settings], { model }), session);
    const run = new PolicyRun(session, {
      ephemerals,
      model,
      repository: compared.repository,
      vocabulary: vocabularyWithListed(ephemerals.densityRules?.()?.tools ?? [], vocabulary),
      tokensOf,
      constantTokens,
      fileAccess,
    });
    outcomes.push({ policy: name, ...played.under(await run.play()) });
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
  const minutes = recordedCacheMinutes(session);
  return minutes === undefined ? rule : { ...rule, lifetimeMs: minutes * 60_000 };
}
