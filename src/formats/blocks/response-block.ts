import type { ToolResponseBlock } from '../../content/content.ts';

/** What a call came to: `error` where it failed. */
export interface ResponseFacts {
  readonly result: unknown;
  readonly error?: string | undefined;
}

/** The response to a call: one shape for a call that failed and one for the others (see `recordedMetadata`). */
export function responseBlock(callId: string, toolName: string, { result, error }: ResponseFacts): ToolResponseBlock {
  if (error === undefined) return { type: 'tool_response', callId, toolName, result };
  return { type: 'tool_response', callId, toolName, result, error };
}
