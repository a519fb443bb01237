import { readFileSync } from 'node:fs';
import type { ContentBlock, IContent, ToolResponseBlock } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import { FrozenDecisions } from '../../live/conversation/frozen.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { sessionHash, sessionOf } from '../../live/stored/session-line.ts';
import { type ConversationFile, conversationFiles } from './conversation-files.ts';
import { isUniqueCallId } from './unique-call-id.ts';

/** What was sent in a conversation. */
interface SentConversation {
  /** The hash of the agent's session, where its requests named it. */
  readonly session: string | undefined;
  /** The texts in place of results: the ids of their calls, and the hashes of what the agent wrote. */
  readonly texts: readonly { readonly callId: string; readonly hash: string; readonly text: string }[];
}

/** What was read of a file, which only grows. */
const read = new Map<string, { readonly version: string; readonly sent: SentConversation }>();

function sentConversation({ path, version }: ConversationFile): SentConversation {
  const known = read.get(path);
  if (known?.version === version) return known.sent;
  const lines = readFileSync(path, 'utf8').split('\n');
  // The name of a result is the id of its call and a hash of its text.
  const texts = [...FrozenDecisions.of(lines).results.values()].map(({ id, text }) => {
    const end = id.lastIndexOf(' ');
    return { callId: id.slice(0, end), hash: id.slice(end + 1), text };
  });
  const sent = { session: sessionOf(lines), texts };
  read.set(path, { version, sent });
  return sent;
}

/** The id of a call in requests: Gemini CLI 0.61.0 records it after the name of the tool. */
function sentId({ callId, toolName }: ToolResponseBlock): string {
  const before = `${toolName}__`;
  return callId.startsWith(before) ? callId.slice(before.length) : callId;
}

function textsFor(session: Session): ReadonlyMap<ContentBlock, string> {
  const entries = session.events.flatMap((event) => (event.kind === 'add' ? event.content : event.contents));
  const blocks = new Set(entries.flatMap((entry) => entry.blocks));
  const responses = groupBy(
    [...blocks].filter((block) => block.type === 'tool_response'),
    sentId,
  );
  const startedAt = entries.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp ?? 0;
  const own = session.id === undefined ? undefined : sessionHash(session.id);
  const [ofOwn, ofOthers] = [new Map<ContentBlock, string>(), new Map<ContentBlock, string>()];
  for (const file of conversationFiles()) {
    if (file.changedAt < startedAt) continue;
    try {
      const sent = sentConversation(file);
      const isOwn = own !== undefined && sent.session === own;
      for (const { callId, hash, text } of sent.texts) {
        const all = responses.get(callId) ?? [];
        const same = all.filter(({ result }) => typeof result === 'string' && hashOf(result) === hash);
        // Requests may have more text than a recording. An agent that clears a result records both of its texts.
        const found = same.length > 0 || !(isOwn || isUniqueCallId(callId)) ? same : all;
        for (const response of found) (isOwn ? ofOwn : ofOthers).set(response, text);
      }
    } catch {
      // What cannot be read says nothing.
    }
  }
  return new Map([...ofOthers, ...ofOwn]);
}

/**
 * The session as its model saw it: where it ran under `density wrap` or `density proxy`, results have the texts that were sent,
 * by what the data folder knows of their calls; its usage is that of these prompts. The same object where nothing was changed.
 */
export function sentSession(session: Session): Session {
  const texts = textsFor(session);
  if (texts.size === 0) return session;
  const sent = new Map<IContent, IContent>();
  const asSent = (block: ContentBlock): ContentBlock => {
    const text = texts.get(block);
    return text === undefined ? block : { ...(block as ToolResponseBlock), result: text };
  };
  const entryOf = (entry: IContent): IContent => {
    const known = sent.get(entry);
    if (known) return known;
    const blocks = entry.blocks.map(asSent);
    const found = blocks.every((block, at) => block === entry.blocks[at]) ? entry : { ...entry, blocks };
    sent.set(entry, found);
    return found;
  };
  const events = session.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { ...event, content: entryOf(event.content) }
        : { ...event, contents: event.contents.map(entryOf) },
  );
  return { ...session, events, isAsSent: true };
}
