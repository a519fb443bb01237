import type { ToolResponseBlock } from '../../content/content.ts';
import { responseText, splitError } from '../../formats/blocks/tool-result.ts';

/** The text of a result as requests have it: a failed one is one text there; `undefined` for a result that is no text. */
export const requestText = (response: ToolResponseBlock): string | undefined =>
  typeof response.result === 'string' ? responseText(response) : undefined;

/** The result with another text, as its file would be read with that. */
export const withRequestText = (response: ToolResponseBlock, text: string): ToolResponseBlock =>
  response.error === undefined ? { ...response, result: text } : { ...response, ...splitError(text) };

/** The id of a call in requests: Gemini CLI 0.61.0 records it after the name of the tool. */
export function sentId({ callId, toolName }: ToolResponseBlock): string {
  const before = `${toolName}__`;
  return callId.startsWith(before) ? callId.slice(before.length) : callId;
}

/** False for ids that agents number themselves: they are in many conversations. */
export const isUniqueCallId = (callId: string): boolean => /[A-Za-z0-9]{16}/.test(callId);
