/**
 * What a model is sent in place of a result that its agent cleared. Such a result is as good as pruned.
 * Source: the same words in Claude Code (micro-compaction) and opencode (`state.time.compacted`).
 */
export const CLEARED_RESULT = '[Old tool result content cleared]';
