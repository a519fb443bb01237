import type { PastCall } from '../../economics/account/past-calls.ts';
import type { Session } from '../../formats/contract.ts';
import { sessionHash } from '../../live/stored-lines.ts';
import { sentId } from './request-text.ts';
import { conversationsSince, type SentConversation } from './sent-conversation.ts';

/**
 * The calls of a session that ran under `density wrap` or `density proxy`, with what pruning removed from each: those of the conversation
 * that decided about most of its results. Undefined where none did. Linear.
 */
export function sentCalls({ id, events }: Session): readonly PastCall[] | undefined {
  const entries = events.flatMap((event) => (event.kind === 'add' ? event.content : event.contents));
  const startedAt = entries.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp ?? 0;
  const own = id === undefined ? undefined : sessionHash(id);
  const callIds = new Set(
    entries.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'tool_response' ? sentId(block) : []))),
  );
  const decided = ({ session, results }: SentConversation): number =>
    session !== undefined && session !== own ? 0 : results.filter(({ callId }) => callIds.has(callId)).length;
  let found: SentConversation | undefined;
  let most: number = 0;
  for (const sent of conversationsSince(startedAt)) {
    if (decided(sent) <= most) continue;
    found = sent;
    most = decided(sent);
  }
  return found?.calls;
}
