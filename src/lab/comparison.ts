import type { IContent } from '../content/content.ts';
import { cachedFileAccess } from '../content/files/cached-file-access.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import type { Session } from '../formats/contract.ts';
import { createEphemerals } from '../settings/resolve.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';
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

/** Tokens of system prompt and tools if nothing is recorded. Source: first calls of 500 recorded Claude Code sessions, about 20,000. */
const USUAL_CONSTANT_TOKENS = 20_000;

/** The outcomes of one session under each of these policies. Asks no model. @throws as the strategies do. */
export async function comparePolicies(
  compared: ComparedSession,
  policies: readonly Policy[],
): Promise<readonly PolicyOutcome[]> {
  const { session, vocabulary, model, countBlock } = compared;
  const tokensOf = entryTokens(countBlock);
  const constantTokens = constantTokensOf(compared, tokensOf);
  const fileAccess = cachedFileAccess();
  const played = new PlayedSession(session, { model, countBlock, tokensOf, constantTokens });
  const outcomes: PolicyOutcome[] = [];
  for (const { name, settings } of policies) {
    const ephemerals = createEphemerals([settings], { model });
    const run = new PolicyRun(session, {
      ephemerals,
      model,
      repository: compared.repository,
      vocabulary,
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
  const tokensOf = entryTokens(compared.countBlock);
  const constantTokens = constantTokensOf(compared, tokensOf);
  return checkUsage(compared.session, { tokensOf, constantTokens, cache: cacheRuleOf(compared.model) });
}

/** Counts an entry as the sum of its blocks, each entry once. */
function entryTokens(count: CountBlock): (entry: IContent) => number {
  const known = new Map<IContent, number>();
  return (entry) => {
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const tokens = entry.blocks.reduce((sum, block) => sum + count(block), 0);
    known.set(entry, tokens);
    return tokens;
  };
}

/** Tokens that every model call has beside the history: from the first recorded usage, else from the recorded text. */
function constantTokensOf(
  { session, countBlock }: Pick<ComparedSession, 'session' | 'countBlock'>,
  tokensOf: (entry: IContent) => number,
): number {
  let before = 0;
  for (const event of session.events) {
    if (event.kind === 'replace') break;
    const { usage } = event.content.metadata ?? {};
    if (usage !== undefined && usage.promptTokens > 0) return Math.max(0, usage.promptTokens - before);
    before += tokensOf(event.content);
  }
  const { systemText } = session;
  return systemText === undefined ? USUAL_CONSTANT_TOKENS : countBlock({ type: 'text', text: systemText });
}
