import type { ToolResponseBlock } from '../../content/content.ts';

/** The id of a call in requests: Gemini CLI 0.61.0 records it after the name of the tool. */
export function sentId({ callId, toolName }: ToolResponseBlock): string {
  const before = `${toolName}__`;
  return callId.startsWith(before) ? callId.slice(before.length) : callId;
}
