import type { Logger, MessageLike, WrittenMessage } from './contract.ts';

const SUMMARY_TITLE = '[Conversation compressed]';
const SUMMARY_ANSWER = 'Understood. I have the context from the compressed conversation. Continuing work.';
const RESTORED_ANSWER = 'Noted, file content restored.';

/**
 * A new list: the head, the summary and its answer, each restored file and its answer. User and assistant alternate.
 * Source: PRD, F-006.
 */
export function assembleMessages<M extends MessageLike, R extends MessageLike = WrittenMessage>(
  head: readonly M[],
  summary: string,
  restoredFiles: readonly R[],
  logger?: Logger,
): (M | R | WrittenMessage)[] {
  if (summary.trim() === '') logger?.warn('Expected a summary for the compacted messages, got an empty one.');
  return [
    ...head,
    { role: 'user', content: `${SUMMARY_TITLE}\n\n${summary}` },
    { role: 'assistant', content: SUMMARY_ANSWER },
    ...restoredFiles.flatMap((file) => [file, { role: 'assistant' as const, content: RESTORED_ANSWER }]),
  ];
}
