/**
 * The marker that agents put in place of a result that they cleared. It counts as pruned.
 * Source: Claude Code (micro-compaction) and opencode (`state.time.compacted`) write the same words.
 */
export const CLEARED_RESULT = '[Old tool result content cleared]';

/** The marker in place of a pruned result. Source: REQ-HD-007.2. */
export const PRUNED_RESULT = '[Result pruned — re-run tool to retrieve]';

/** True if a result is only a marker: pruned by this strategy, or cleared by the agent. */
export function isPruned(result: unknown): boolean {
  return result === PRUNED_RESULT || result === CLEARED_RESULT;
}
