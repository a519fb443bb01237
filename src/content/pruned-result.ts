/**
 * The marker that agents put in place of a result that they cleared. It counts as pruned.
 * Source: Claude Code (micro-compaction) and opencode (`state.time.compacted`) write the same words.
 */
export const CLEARED_RESULT = '[Old tool result content cleared]';

/** The marker in place of a pruned result. Source: REQ-HD-007.2. */
export const PRUNED_RESULT = '[Result pruned — re-run tool to retrieve]';

/**
 * What earlier versions of the plugin left of a repeated result: a reference to the earlier one, with the name of its text in the
 * archive. Agents put the number of the line before it, or a note after it.
 */
const REFERENCE =
  /^[^[]{0,200}\[density: word for word the result of the earlier [^\n]*full text: recall [0-9a-f]{12}\b/;
/** Few results have it: searching them for it takes a tenth of the time that the expression takes. */
const REFERENCE_START = '[density: word for word';
/** With the note of an agent. */
const LONGEST_REFERENCE = 1_000;

/**
 * True if a result is only a marker: pruned by this strategy, cleared by the agent, or replaced by the plugin. It shows nothing of a
 * file, and another marker in its place would only say less.
 */
export function isPruned(result: unknown): boolean {
  return result === PRUNED_RESULT || result === CLEARED_RESULT || isReference(result);
}

const isReference = (result: unknown): boolean =>
  typeof result === 'string' &&
  result.length <= LONGEST_REFERENCE &&
  result.includes(REFERENCE_START) &&
  REFERENCE.test(result);
