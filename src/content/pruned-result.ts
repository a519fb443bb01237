/**
 * What a model is sent in place of a result that its agent cleared. Such a result is as good as pruned.
 * Source: the same words in Claude Code (micro-compaction) and opencode (`state.time.compacted`).
 */
export const CLEARED_RESULT = '[Old tool result content cleared]';

/** What stands in place of a pruned result. Source: REQ-HD-007.2. */
export const PRUNED_RESULT = '[Result pruned — re-run tool to retrieve]';

/** Whether a result is gone already: pruned by this strategy, or cleared by the agent itself. */
export function isPruned(result: unknown): boolean {
  return result === PRUNED_RESULT || result === CLEARED_RESULT;
}
