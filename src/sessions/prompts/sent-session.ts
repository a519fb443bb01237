import type { ContentBlock, IContent, ToolResponseBlock } from '../../content/content.ts';
import { groupBy, madeOnce } from '../../content/group-by.ts';
import { entriesOf, type SessionEvent } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { thinkingId } from '../../live/request/live-thinking.ts';
import { sessionHash } from '../../live/stored-lines.ts';
import { lostTargets } from './lost-targets.ts';
import { isUniqueCallId, requestText, sentId, withRequestText } from './request-text.ts';
import { conversationsSince, type SentConversation, type SentText, withoutAddition } from './sent-conversation.ts';
import { wordsFor } from './sent-words.ts';

/** The thinking that was left out: never all of an answer. */
function omittedThinking(
  entries: readonly IContent[],
  conversations: readonly SentConversation[],
): ReadonlySet<ContentBlock> {
  const ids = new Set(conversations.flatMap((sent) => [...sent.omittedThinking]));
  if (ids.size === 0) return new Set();
  const isOmitted = ({ blocks }: IContent): boolean => ids.has(thinkingId(blocks) ?? '');
  return new Set(entries.filter(isOmitted).flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'thinking')));
}

/** The texts that were sent in place of blocks. */
function textsFor(
  session: Session,
  entries: readonly IContent[],
  conversations: readonly SentConversation[],
): ReadonlyMap<ContentBlock, SentText> {
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
      const place = found[2 * Number(isOwn) + Number(isKnown)]!;
      for (const response of meant)
        place.set(response, isKnown ? form : withoutAddition(form, requestText(response) ?? ''));
    }
  }
  const texts = [summariesFor(entries, conversations), wordsFor(entries, conversations), ...found];
  return new Map(texts.flatMap((own) => [...own]));
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
function withBlocks(entry: IContent, change: (block: ContentBlock) => ContentBlock | undefined): IContent {
  const blocks = entry.blocks.map(change);
  if (blocks.every((block, at) => block === entry.blocks[at])) return entry;
  return { ...entry, blocks: blocks.filter((block) => block !== undefined) };
}

/**
 * The session as its model saw it: where it ran under `density wrap` or `density proxy`, results and summaries have the texts that were sent,
 * by what the data folder knows of their calls, and answers no thinking that was left out; its usage is that of these prompts. The same object where nothing was changed.
 */
export function sentSession(session: Session): Session {
  const all = session.events.flatMap(entriesOf);
  const startedAt = all.find(({ metadata }) => metadata?.timestamp !== undefined)?.metadata?.timestamp ?? 0;
  const conversations = conversationsSince(startedAt);
  const texts = textsFor(session, all, conversations);
  const omitted = omittedThinking(all, conversations);
  if (texts.size === 0 && omitted.size === 0) return session;
  const sent = new Map<IContent, IContent>();
  const asSent = (block: ContentBlock): ContentBlock | undefined => {
    if (omitted.has(block)) return undefined;
    const text = texts.get(block)?.text;
    if (text === undefined) return block;
    return block.type === 'text' ? { ...block, text } : withRequestText(block as ToolResponseBlock, text);
  };
  const entryOf = (entry: IContent): IContent => madeOnce(sent, entry, () => withBlocks(entry, asSent));
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
