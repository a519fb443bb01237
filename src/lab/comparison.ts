import type { IContent } from '../content/content.ts';
import { cachedFileAccess } from '../content/files/cached-file-access.ts';
import { vocabularyWithListed } from '../content/tools/own-tools.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import type { Session } from '../formats/contract.ts';
import { createEphemerals } from '../settings/resolve.ts';
import { type CountBlock, entryCounter } from '../tokens/entries/block-counter.ts';
import { constantTokensOf } from './constant-tokens.ts';
import type { Policy } from './policy.ts';
import { PlayedSession, type PolicyOutcome } from './policy-outcome.ts';
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

/** The outcomes of one session under each of these policies. Asks no model. @throws as the strategies do. */
export async function comparePolicies(
  compared: ComparedSession,
  policies: readonly Policy[],
): Promise<readonly PolicyOutcome[]> {
  const { session, vocabulary, model, countBlock } = compared;
  const tokensOf = entryTokens(compared);
  const constantTokens = constantTokensOf(session, { tokensOf, countBlock });
  const fileAccess = cachedFileAccess();
  const played = new PlayedSession(session, { model, countBlock, tokensOf, constantTokens });
  const outcomes: PolicyOutcome[] = [];
  for (const { name, settings } of policies) {
    const ephemerals = createEphemerals([settings], { model });
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
  return checkUsage(compared.session, { tokensOf, constantTokens, cache: cacheRuleOf(compared.model) });
}

/** Counts each entry once. */
function entryTokens({ model, countBlock }: ComparedSession): (entry: IContent) => number {
  const count = entryCounter(model, countBlock);
  const known = new Map<IContent, number>();
  return (entry) => {
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const tokens = count(entry);
    known.set(entry, tokens);
    return tokens;
  };
}
