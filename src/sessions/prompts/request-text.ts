import type { ToolResponseBlock } from '../../content/content.ts';
import { joinError, splitError } from '../../formats/blocks/failed-result.ts';

/** The text of a result as requests have it: a failed one is one text there; `undefined` for a result that is no text. */
export function requestText({ result, error }: ToolResponseBlock): string | undefined {
  if (typeof result !== 'string') return undefined;
  return error === undefined ? result : joinError(error, result);
}

/** The result with another text, as its file would be read with that. */
export const withRequestText = (response: ToolResponseBlock, text: string): ToolResponseBlock =>
  response.error === undefined ? { ...response, result: text } : { ...response, ...splitError(text) };

/** The id of a call in requests: Gemini CLI 0.61.0 records it after the name of the tool. */
export function sentId({ callId, toolName }: ToolResponseBlock): string {
  const before = `${toolName}__`;
  return callId.startsWith(before) ? callId.slice(before.length) : callId;
}
