import type { ContentBlock, IContent, ToolResponseBlock } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { textId } from '../../live/request/text-id.ts';
import { sessionHash } from '../../live/stored/session-line.ts';
import { lostTargets } from './lost-targets.ts';
import { requestText, withRequestText } from './request-text.ts';
import { conversationsSince, type SentConversation, type SentText } from './sent-conversation.ts';
import { sentId } from './sent-id.ts';
import { isUniqueCallId } from './unique-call-id.ts';

function textsFor(session: Session, entries: readonly IContent[]): ReadonlyMap<ContentBlock, SentText> {
  const startedAt = entries.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp ?? 0;
  const conversations = conversationsSince(startedAt);
  const blocks = new Set(entries.flatMap((entry) => entry.blocks));
  const responses = groupBy(
    [...blocks].filter((block) => block.type === 'tool_response'),
    sentId,
  );
  const own = session.id === undefined ? undefined : sessionHash(session.id);
  /** The last ones count: those of the session itself, and of the very text. */
  const found = [0, 1, 2, 3].map(() => new Map<ContentBlock, SentText>());
  const forms = groupBy(
    conversations.flatMap((sent) => sent.forms),
    ({ callId }) => callId,
  );
  const isForm = (response: ToolResponseBlock, callId: string): boolean =>
    forms.get(callId)?.some(({ text }) => text === requestText(response)) === true;
  for (const sent of conversations) {
    const isOwn = own !== undefined && sent.session === own;
    for (const form of sent.results) {
      const { callId, hash } = form;
      const all = responses.get(callId) ?? [];
      const same = all.filter((response) => hashOf(requestText(response) ?? '') === hash);
      // Requests may have more text than a recording. An agent that clears a result records both of its texts.
      const isKnown = same.length > 0 || !(isOwn || isUniqueCallId(callId));
      const meant = isKnown ? same : all.filter((block) => !isForm(block, callId));
      for (const response of meant) found[2 * Number(isOwn) + Number(isKnown)]!.set(response, form);
    }
  }
  const texts = [summariesFor(entries, conversations), wordsFor(blocks, conversations), ...found];
  return new Map(texts.flatMap((own) => [...own]));
}

/** The texts that were sent in place of what the agent wrote in user turns. */
function wordsFor(
  blocks: Iterable<ContentBlock>,
  conversations: readonly SentConversation[],
): ReadonlyMap<ContentBlock, SentText> {
  const sent = new Map(conversations.flatMap(({ words }) => [...words]));
  const found = new Map<ContentBlock, SentText>();
  if (sent.size === 0) return found;
  const counts = new Map<string, number>();
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    const id = textId(block.text);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const form = sent.get(textId(block.text, count));
    if (form) found.set(block, form);
  }
  return found;
}

/** The texts that were sent in place of the summaries of these entries. */
function summariesFor(
  entries: readonly IContent[],
  conversations: readonly SentConversation[],
): ReadonlyMap<ContentBlock, SentText> {
  const sent = new Map(conversations.flatMap(({ summaries }) => summaries.map((one) => [one.hash, one])));
  if (sent.size === 0) return new Map();
  const said = entries.filter(({ speaker }) => speaker === 'human').flatMap(({ blocks }) => blocks);
  return new Map(
    said.flatMap((block): (readonly [ContentBlock, SentText])[] => {
      const form = block.type === 'text' ? sent.get(hashOf(block.text)) : undefined;
      return form === undefined ? [] : [[block, form]];
    }),
  );
}

/** The same object where no block changes. */
function withBlocks(entry: IContent, change: (block: ContentBlock) => ContentBlock): IContent {
  const blocks = entry.blocks.map(change);
  return blocks.every((block, at) => block === entry.blocks[at]) ? entry : { ...entry, blocks };
}

/**
 * The session as its model saw it: where it ran under `density wrap` or `density proxy`, results and summaries have the texts that were sent,
 * by what the data folder knows of their calls; its usage is that of these prompts. The same object where nothing was changed.
 */
export function sentSession(session: Session): Session {
  const all = session.events.flatMap((event) => (event.kind === 'add' ? event.content : event.contents));
  const texts = textsFor(session, all);
  if (texts.size === 0) return session;
  const sent = new Map<IContent, IContent>();
  const asSent = (block: ContentBlock): ContentBlock => {
    const text = texts.get(block)?.text;
    if (text === undefined) return block;
    return block.type === 'text' ? { ...block, text } : withRequestText(block as ToolResponseBlock, text);
  };
  const entryOf = (entry: IContent): IContent => {
    const known = sent.get(entry);
    if (known) return known;
    const found = withBlocks(entry, asSent);
    sent.set(entry, found);
    return found;
  };
  const lostIn = lostTargets(all);
  const listOf = (list: readonly IContent[]): IContent[] => {
    const isLost = lostIn(list);
    const isDangling = (block: ContentBlock): boolean => texts.get(block)?.sources.some(isLost) === true;
    return list.map((entry) => {
      if (!entry.blocks.some(isDangling)) return entryOf(entry);
      return withBlocks(entry, (block) => (isDangling(block) ? block : asSent(block)));
    });
  };
  const events = session.events.map(
    (event): SessionEvent =>
      event.kind === 'add'
        ? { ...event, content: entryOf(event.content) }
        : { ...event, contents: listOf(event.contents) },
  );
  return { ...session, events, isAsSent: true };
}
