import { append } from '../../content/append.ts';
import type { ContentBlock, IContent, ThinkingBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { claudeCode as vocabulary } from '../../content/vocabularies/claude-code.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { sendable } from '../blocks/sendable.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import type { SessionFormat } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import { within } from '../json/json-splice.ts';
import { creatorOf, documentFormat, findMessages, placeAll } from '../messages/message-document.ts';
import type { MessageDialect } from '../messages/message-list.ts';
import { partOf, partsByResult } from '../messages/message-part.ts';
import { chatShape } from '../openai-chat/chat-shape.ts';
import { withProviderCuts } from '../provider-cuts.ts';
import { contentChanges, readContent, writeContent } from './anthropic-content.ts';

const MAX_TOKENS = 8192;

/** True for thinking that this API signed or encrypted; it rejects any other. */
const isOwnThinking = (block: ThinkingBlock): boolean =>
  block.sourceField === 'thinking' ? block.signature !== undefined : isSealed(block);

const isSealed = ({ sourceField, isHidden, encryptedContent }: ThinkingBlock): boolean =>
  sourceField === undefined && isHidden === true && encryptedContent !== undefined;

function sentBlock(block: ContentBlock): ContentBlock[] {
  if (block.type === 'thinking') return isOwnThinking(block) ? [block] : [];
  if (block.type !== 'tool_call' || isRecord(block.parameters)) return [block];
  // `input` must be an object: raw text, such as a patch, is wrapped.
  const parameters = block.parameters === undefined ? {} : { input: block.parameters };
  return [{ ...block, parameters }];
}

/** The messages of these entries; all results of one answer are in one message. */
export function newMessages(entries: readonly IContent[]): { role: string; content: unknown }[] {
  const messages: { role: string; content: unknown }[] = [];
  let results: unknown[] | undefined;
  for (const { speaker, blocks } of entries) {
    const content = writeContent(blocks.flatMap(sentBlock));
    if (content.length === 0) continue;
    if (speaker === 'tool' && results) {
      append(results, content);
      continue;
    }
    const [only] = blocks;
    const isPlain = speaker === 'human' && blocks.length === 1 && only?.type === 'text';
    messages.push({ role: speaker === 'ai' ? 'assistant' : 'user', content: isPlain ? only.text : content });
    results = speaker === 'tool' ? content : undefined;
  }
  return messages;
}

/** The messages of the Messages API. */
export const anthropicDialect: MessageDialect = {
  reader() {
    const calls = new CallsOfResults();
    return (message) => {
      calls.startMessage(message['role'] === 'assistant' ? 'ai' : 'human');
      const placed = readContent(message['content'], calls.nextName).filter(
        ({ block }) => block.type !== 'text' || block.text !== '',
      );
      for (const { block } of placed) if (block.type === 'tool_call') calls.add(block);
      if (placed.length === 0) return [];
      const inMessage = placed.map(({ block, path }) => ({ block, path: ['content', ...path] }));
      if (message['role'] === 'assistant') return [partOf('ai', inMessage)];
      // What the agent tells a model that takes such messages; others get it in reminders of a user message.
      if (message['role'] === 'system') return [partOf('human', inMessage, { synthetic: true, isSystemMessage: true })];
      return partsByResult(inMessage, 'human', ({ path }) => path.length > 2);
    };
  },
  changes(message, edits) {
    const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
    // The API rejects an answer that is only thinking.
    if (kept.every(({ block }) => block.type === 'thinking')) return 'remove';
    const inner = edits.map((one) => ({ ...one, path: one.path.slice(1) }));
    const { changes, left } = contentChanges(message['content'], [], inner);
    return left === 0 ? 'remove' : within(['content'], changes);
  },
  create: newMessages,
};

/**
 * Request bodies of Anthropic's Messages API, or a list of their messages. Each message is one entry, and each tool result
 * in a user message is one entry. A message is removed with its last block, and an answer if only thinking is left.
 * Consecutive messages of one role are not joined: the API joins them itself.
 * Source: https://docs.anthropic.com/en/api/messages
 */
export const anthropicMessages: SessionFormat = withProviderCuts(
  documentFormat({
    name: 'anthropic-messages',
    title: 'Anthropic Messages request',
    vocabulary,
    detect: (head) => chatShape(headDocument(head)) === 'anthropic',
    open: (lines) =>
      placeAll(
        findMessages(lines, {
          title: 'an Anthropic Messages request',
          keys: ['messages'],
          isMessage: (one) => isRecord(one) && 'role' in one,
        }),
        anthropicDialect,
      ),
    facts({ around: { model, system, tools } }) {
      const prompt = readContent(system, () => '').map(({ block }) => block.type === 'text' && block.text);
      return { ...(typeof model === 'string' && { model }), ...systemFacts(prompt, tools) };
    },
    create: creatorOf((history, { model, systemText }) => ({
      ...(model !== undefined && { model }),
      max_tokens: MAX_TOKENS,
      ...(systemText !== undefined && { system: systemText }),
      messages: newMessages(sendable(history)),
    })),
  }),
);
