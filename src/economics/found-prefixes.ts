import type { CostRules, WaitingConversation } from './decision.ts';

type SentConversation = Pick<
  WaitingConversation,
  'pastCalls' | 'idleMs' | 'sentEntries' | 'blocks' | 'constantTokens' | 'pendingTokens'
>;

/**
 * For each entry, the tokens of the longest prefix before it that a provider still finds in its cache if that entry
 * changes: any, or only one that ended a prompt and was not changed or left unused for longer than the lifetime since, and
 * that ends close enough before the mark at the end of the next prompt where marks are matched; there the constant tokens
 * have a mark of their own. `tokensBefore` has one more element than there are entries.
 */
export function foundPrefixes(
  conversation: SentConversation,
  tokensBefore: readonly number[],
  rules: Pick<CostRules, 'cache' | 'lifetimeMs'>,
): readonly number[] {
  const { blocks, pendingTokens, constantTokens } = conversation;
  const { marks, findsEachPrefix } = rules.cache;
  if (findsEachPrefix) return tokensBefore;
  const inReach = marks === undefined ? 0 : firstInReach(blocks, marks.lookbackBlocks - (pendingTokens > 0 ? 1 : 0));
  const ends = keptEnds(conversation, tokensBefore, rules.lifetimeMs).filter((end) => end >= tokensBefore[inReach]!);
  const found: number[] = [];
  let last = marks === undefined ? 0 : constantTokens;
  for (const before of tokensBefore) {
    while (ends.length > 0 && ends.at(-1)! <= before) last = Math.max(last, ends.pop()!);
    found.push(last);
  }
  return found;
}

/** Where prompts ended that are cached and start as the next one does, in tokens; the longest first. */
function keptEnds(
  { pastCalls, idleMs, sentEntries }: SentConversation,
  tokensBefore: readonly number[],
  lifetimeMs: number,
): number[] {
  const ends = [tokensBefore[Math.min(sentEntries, tokensBefore.length - 1)]!];
  let same = ends[0]!;
  /** Since the call was sent, and since its prompt was read by the one after it; an unknown time is too long. */
  let sentMs = idleMs ?? Number.POSITIVE_INFINITY;
  let readMs = 0;
  for (let at = pastCalls.length - 1; at >= 0 && readMs < lifetimeMs; at--) {
    const { promptTokens, keptTokens, idleMs: beforeMs = Number.POSITIVE_INFINITY } = pastCalls[at]!;
    if (promptTokens < ends.at(-1)! && promptTokens <= same) ends.push(promptTokens);
    // It found nothing of those before it.
    if (keptTokens === 0 || beforeMs >= lifetimeMs) break;
    same = Math.min(same, keptTokens);
    readMs = sentMs;
    sentMs += beforeMs;
  }
  return ends;
}

/** The first entry before which a prefix ends that is fewer than `lookback` blocks from the end. */
function firstInReach(blocks: readonly number[], lookback: number): number {
  let after = 0;
  for (let at = blocks.length - 1; at >= 0; at--) {
    after += blocks[at]!;
    if (after >= lookback) return at + 1;
  }
  return 0;
}
