import { parentPort } from 'node:worker_threads';
import type { SessionReply, SessionRequest } from '../src/sessions/threads/session-protocol.ts';
import { sessionReplies } from '../src/sessions/threads/session-replies.ts';

const tell = (reply: SessionReply): void => parentPort?.postMessage(reply);
let replies: Generator<SessionReply> | undefined;

/** One part of an answer for each message, so that the other side is never sent more than it can take. */
parentPort?.on('message', (request: SessionRequest) => {
  if (request.kind !== 'next') replies = sessionReplies(request, tell);
  const part = replies?.next();
  if (part && !part.done) tell(part.value);
});
