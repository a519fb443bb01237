import { pairCalls, unansweredCalls } from '../../content/calls/pairing.ts';
import type { IContent, ToolCallBlock } from '../../content/content.ts';
import { addTo } from '../../content/group-by.ts';

/** The error of a call that never got a result. Source: docs/library.md, `findUnmatchedToolCalls`. */
const CANCELLED_ERROR = 'Tool call interrupted or cancelled';

/** A synthetic tool entry that answers each of `calls` as cancelled. */
export function cancelledResponses(calls: readonly ToolCallBlock[]): IContent {
  return {
    speaker: 'tool',
    blocks: calls.map((call) => ({
      type: 'tool_response',
      callId: call.id,
      toolName: call.name,
      result: null,
      error: CANCELLED_ERROR,
      isComplete: true,
    })),
    metadata: { synthetic: true, reason: 'orphaned_tool_call' },
  };
}

/** The unanswered calls of a history by the index of their entry, in order. */
export function unansweredByEntry(history: readonly IContent[]): Map<number, ToolCallBlock[]> {
  const byEntry = new Map<number, ToolCallBlock[]>();
  for (const { entry, call } of unansweredCalls(pairCalls(history))) addTo(byEntry, entry, call);
  return byEntry;
}
