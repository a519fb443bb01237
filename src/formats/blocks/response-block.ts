import type { ToolResponseBlock } from '../../content/content.ts';

/** The outcome of a call; `error` if it failed. */
export interface ResponseFacts {
  readonly result: unknown;
  readonly error?: string | undefined;
}

/** The result of a call, with one object shape for failures and one for successes (see `recordedMetadata`). */
export function responseBlock(callId: string, toolName: string, { result, error }: ResponseFacts): ToolResponseBlock {
  if (error === undefined) return { type: 'tool_response', callId, toolName, result };
  return { type: 'tool_response', callId, toolName, result, error };
}
