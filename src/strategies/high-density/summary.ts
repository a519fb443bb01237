import { errorOf, withStatedError } from '../../content/calls/error-of.ts';
import type { ToolResponseBlock } from '../../content/content.ts';
import { cutText } from '../../content/lines/one-line.ts';

/** Longest error in a summary and beside it, in UTF-16 units. Source: docs/readings.md, row 14. */
const ERROR_LIMIT_CHARS = 200;

/**
 * The response with its result as one line, `[tool: key parameter — outcome, size]`, and its error cut; the same object if
 * it is already that. The outcome depends only on the `error` field. Source: REQ-HD-008.3; docs/readings.md, row 14.
 */
export function summarizeResponse(response: ToolResponseBlock, keyParameter: string | undefined): ToolResponseBlock {
  if (isSummary(response)) return response;
  const subject = keyParameter === undefined ? response.toolName : `${response.toolName}: ${keyParameter}`;
  const error = errorOf(response);
  const outcome = error === undefined ? 'success' : `error${firstLine(error)}`;
  const details = [outcome, sizeHint(response.result)].filter((part) => part !== undefined).join(', ');
  const summarized = { ...withStatedError(response), result: `[${subject} — ${details}]` };
  return error === undefined ? summarized : { ...summarized, error: cutText(error, ERROR_LIMIT_CHARS) };
}

/** True if the result is already a summary of this tool, in the shape of `summarizeResponse`. */
export function isSummary({ toolName, result }: ToolResponseBlock): boolean {
  if (typeof result !== 'string' || result.includes('\n') || !result.endsWith(']')) return false;
  const startsLikeOne = result.startsWith(`[${toolName}: `) || result.startsWith(`[${toolName} — `);
  return startsLikeOne && / — (?:success|error)(?:[:,\]]| )/.test(result);
}

function firstLine(error: string): string {
  const line = error.trim().split('\n', 1)[0]!.trim();
  return line === '' ? '' : `: ${cutText(line, ERROR_LIMIT_CHARS)}`;
}

/** The size of the text, if it is known: in lines, or in characters for a single line. */
function sizeHint(result: unknown): string | undefined {
  const text = typeof result === 'object' && result !== null && 'output' in result ? result.output : result;
  if (typeof text !== 'string' || text === '') return undefined;
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > 1 ? `${lines} lines` : `${text.length} chars`;
}
