import type { SessionReply, SessionRequest } from '../src/sessions/threads/session-protocol.ts';
import { sessionReplies } from '../src/sessions/threads/session-replies.ts';
import { answering } from '../src/threads/answer.ts';
import { progressReporter } from '../src/threads/progress.ts';

let replies: Generator<SessionReply> | undefined;

/** One part of an answer for each request, so that the other side is never sent more than it can take. */
export default answering(async (request: SessionRequest): Promise<SessionReply | undefined> => {
  if (request.kind === 'ask') {
    const reporter = await progressReporter<number>(request.progress, () => performance.now());
    replies = sessionReplies(request.question, reporter.report);
  }
  return replies?.next().value;
});
