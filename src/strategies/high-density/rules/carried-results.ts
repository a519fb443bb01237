import type { ToolResponseBlock } from '../../../content/content.ts';
import { isPruned, PRUNED_RESULT } from '../../../content/pruned-result.ts';
import { callRole } from '../../../content/tools/call-role.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { HistoryDraft } from '../draft.ts';
import type { RulesInForce } from '../rules-in-force.ts';
import { type FileCall, placeOfCall } from './file-call.ts';

/** Every result is sent with at least this many model calls. */
export const LEAST_SENT_CALLS = 3;
/** A shorter result is hardly longer than the marker. */
const LEAST_CHARS = 200;
/** An estimate, because strategies count no tokens. */
const CHARS_PER_TOKEN = 4;

/**
 * Replaces by the marker results of shell commands and searches that were sent `resultCalls` times, and results of reads
 * that cost more than `carriedTokens` over the model calls since the last use of their files: the larger, the sooner.
 * Linear in calls.
 */
export function replaceCarriedResults(
  draft: HistoryDraft,
  calls: readonly FileCall[],
  { inForce, vocabulary }: { inForce: RulesInForce; vocabulary: ToolVocabulary },
): void {
  /** Answers of the model up to each entry, itself included. */
  const turnOf: number[] = [];
  for (const { speaker } of draft.history) turnOf.push((turnOf.at(-1) ?? 0) + (speaker === 'ai' ? 1 : 0));
  const touchedIn = new Map<string, number>();
  for (const { entry, reads, writes } of calls) {
    for (const file of [...reads, ...writes]) touchedIn.set(file, turnOf[entry]!);
  }
  for (const call of calls) {
    if (!mayExpire(call, inForce, vocabulary)) continue;
    const turns = call.isPureRead ? call.reads.map((file) => touchedIn.get(file)!) : [turnOf[call.entry]!];
    replaceExpired(draft, call, { inForce, sentCalls: turnOf.at(-1)! - Math.max(...turns) });
  }
}

/** True if the results of a call may expire: those of a known reading or searching tool that is not protected. */
export function mayExpire(call: FileCall, { rules, protection }: RulesInForce, vocabulary: ToolVocabulary): boolean {
  if ((call.isPureRead ? rules.carriedTokens : rules.resultCalls) === 0) return false;
  const role = callRole(vocabulary, call.call);
  return (role === 'read' || role === 'shell' || role === 'search') && !protection.coversCall(call);
}

/** The number of model calls with results of this many characters before they are replaced. */
export function leastSentCalls({ isPureRead }: FileCall, { rules }: RulesInForce, chars: number): number {
  const calls = isPureRead ? Math.floor((rules.carriedTokens * CHARS_PER_TOKEN) / chars) : rules.resultCalls;
  return Math.max(LEAST_SENT_CALLS, calls);
}

/**
 * Replaces the long results of a call in the draft if they were sent often enough. Returns that number of model calls:
 * infinite if no such result is left.
 */
export function replaceExpired(
  draft: HistoryDraft,
  call: FileCall,
  { inForce, sentCalls }: { inForce: RulesInForce; sentCalls: number },
): number {
  const results = call.responses.flatMap(({ entry, block }) => {
    const item = draft.blockAt(entry, block) as ToolResponseBlock | undefined;
    return item !== undefined && isLong(item.result) ? [{ entry, block, item, chars: item.result.length }] : [];
  });
  const chars = results.reduce((sum, result) => sum + result.chars, 0);
  const leastSent = chars === 0 ? Number.POSITIVE_INFINITY : leastSentCalls(call, inForce, chars);
  if (sentCalls < leastSent) return leastSent;
  const files = call.isPureRead ? call.reads : [];
  const reason = { rule: 'carriedResult', call: placeOfCall(call), files, leastSentCalls: leastSent } as const;
  for (const { entry, block, item } of results) {
    draft.replaceBlock(entry, block, { by: { ...item, result: PRUNED_RESULT }, reason });
  }
  return leastSent;
}

export function isLong(result: unknown): result is string {
  return typeof result === 'string' && result.length >= LEAST_CHARS && !isPruned(result);
}
