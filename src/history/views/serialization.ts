import type { IContent } from '../../content/content.ts';
import { contentProblem, describeInvalidEntry } from '../../content/content-guard.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { copyForJson } from './copy.ts';

/** The entries as a JSON list; values that JSON cannot express are written as `copyForJson` says. */
export const historyToJson = (history: readonly IContent[]): string => JSON.stringify(copyForJson(history));

/**
 * The entries that `historyToJson` wrote.
 * @throws CompressionStrategyError `HISTORY_INVALID` when the text is no JSON list of entries; names the place.
 */
export function historyFromJson(json: string): IContent[] {
  const invalid = (got: string, cause?: unknown): CompressionStrategyError =>
    new CompressionStrategyError(`Expected a JSON list of history entries, got ${got}.`, 'HISTORY_INVALID', { cause });
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw invalid(`text that is not JSON (${(cause as Error).message})`, cause);
  }
  if (!Array.isArray(parsed)) throw invalid(`${parsed === null ? 'null' : `a value of type ${typeof parsed}`}`);
  for (const [index, entry] of parsed.entries()) {
    const fault = describeInvalidEntry(entry);
    if (fault) throw invalid(`${fault} at index ${index}`);
    const problem = contentProblem(entry);
    if (problem) throw invalid(`an entry at index ${index} with a fault: ${problem}`);
  }
  return parsed;
}
