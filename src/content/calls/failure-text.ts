import type { ToolResponseBlock } from '../content.ts';

const EXAMINED_CHARS = 200;

/** Openings of results that report a failure. Source: failed edits of the recorded agents, as their formats flag them. */
const FAILURE =
  /^\W*(?:error\b|fail(?:ed|ure)\b|(?:the )?user (?:doesn't|does not|did not|declined|rejected|denied)|tool (?:use |call )?(?:error|was rejected)|tool_use_error|string to replace|(?:old_?string|oldtext|search (?:block|text)) (?:was )?not found|no (?:such file|match|changes)|(?:file|path) .{0,80}(?:not found|does not exist|has not been read)|permission denied|cancelled|canceled|aborted|interrupted|(?:could|can|did|was|were)(?: not|n't)\b|cannot\b|unable to|invalid\b|exception\b|traceback\b)/i;

/**
 * True if the text of a result reads like a failure. It is a guess, only for formats whose results have no error flag, and
 * only to keep text: a write that may have failed makes no read stale (docs/readings.md, row 2).
 */
export function readsLikeFailure({ result }: ToolResponseBlock): boolean {
  return typeof result === 'string' && FAILURE.test(result.slice(0, EXAMINED_CHARS));
}
