import type { ContentBlock, IContent, ThinkingBlock } from '../content/content.ts';
import { claudeCode as vocabulary } from '../content/vocabularies/claude-code.ts';
import { isRecord } from '../content/vocabulary.ts';
import { contentChanges, type PlacedBlock, readContent, writeContent } from './anthropic-content.ts';
import { chatShape } from './chat-shape.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from './contract.ts';
import { headDocument } from './detection.ts';
import { noMessages, readDocument } from './json-document.ts';
import { jsonText } from './json-text.ts';
import { assertRestartable } from './lines.ts';
import {
  type Conversation,
  eventsOf,
  type Message,
  type MessageDialect,
  type MessagePart,
  type PlacedMessage,
  placeMessages,
  writeMessages,
} from './message-list.ts';
import { sendable } from './sendable.ts';

const NAME = 'anthropic-messages';
const TITLE = 'an Anthropic Messages request';
const MAX_TOKENS = 8192;
const encoder = new TextEncoder();

const partOf = (speaker: MessagePart['speaker'], placed: readonly PlacedBlock[]): MessagePart => ({
  speaker,
  blocks: placed.map(({ block }) => block),
  places: placed.map(({ path }) => ['content', ...path]),
});

/** The entries of a user message: each tool result with its media is one, what stands between results is another. */
function userParts(placed: readonly PlacedBlock[]): MessagePart[] {
  const runs: { speaker: 'human' | 'tool'; placed: PlacedBlock[] }[] = [];
  for (const one of placed) {
    const isResult = one.block.type === 'tool_response';
    const last = runs.at(-1);
    const belongs = last && !isResult && (last.speaker === 'human' || one.path.length > 1);
    if (belongs) last.placed.push(one);
    else runs.push({ speaker: isResult ? 'tool' : 'human', placed: [one] });
  }
  return runs.map((run) => partOf(run.speaker, run.placed));
}

/** Thinking that this API signed or sealed; it refuses any other. */
const isOwnThinking = (block: ThinkingBlock): boolean =>
  block.sourceField === 'thinking' ? block.signature !== undefined : isSealed(block);

const isSealed = ({ sourceField, isHidden, encryptedContent }: ThinkingBlock): boolean =>
  sourceField === undefined && isHidden === true && encryptedContent !== undefined;

function sentBlock(block: ContentBlock): ContentBlock[] {
  if (block.type === 'thinking') return isOwnThinking(block) ? [block] : [];
  if (block.type !== 'tool_call' || isRecord(block.parameters)) return [block];
  // Raw text (a patch, say) has no place as `input`: it must be an object.
  const parameters = block.parameters === undefined ? {} : { input: block.parameters };
  return [{ ...block, parameters }];
}

/** The messages that say what these entries say; all results of one answer stand in one message. */
export function newMessages(entries: readonly IContent[]): { role: string; content: unknown }[] {
  const messages: { role: string; content: unknown }[] = [];
  let results: unknown[] | undefined;
  for (const { speaker, blocks } of entries) {
    const content = writeContent(blocks.flatMap(sentBlock));
    if (content.length === 0) continue;
    if (speaker === 'tool' && results) {
      results.push(...content);
      continue;
    }
    const [only] = blocks;
    const isPlain = speaker === 'human' && blocks.length === 1 && only?.type === 'text';
    messages.push({ role: speaker === 'ai' ? 'assistant' : 'user', content: isPlain ? only.text : content });
    results = speaker === 'tool' ? content : undefined;
  }
  return messages;
}

const dialect: MessageDialect = {
  reader() {
    const toolNames = new Map<string, string>();
    return (message) => {
      const placed = readContent(message['content'], (id) => toolNames.get(id) ?? 'unknown').filter(
        ({ block }) => block.type !== 'text' || block.text !== '',
      );
      for (const { block } of placed) if (block.type === 'tool_call') toolNames.set(block.id, block.name);
      if (placed.length === 0) return [];
      return message['role'] === 'assistant' ? [partOf('ai', placed)] : userParts(placed);
    };
  },
  changes(message, edits) {
    const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
    // The API takes no answer of thinking alone.
    if (kept.every(({ block }) => block.type === 'thinking')) return 'remove';
    const inner = edits.map((one) => ({ ...one, path: one.path.slice(1) }));
    const { changes, left } = contentChanges(message['content'], [], inner);
    return left === 0 ? 'remove' : changes.map((change) => ({ ...change, path: ['content', ...change.path] }));
  },
  create: newMessages,
};

interface Opened {
  readonly bytes: Uint8Array;
  readonly around: Message;
  readonly conversation: Conversation;
  readonly placed: readonly PlacedMessage[];
  readonly skipped: readonly SkippedLine[];
}

function open(lines: Iterable<Line>): Opened {
  const { bytes, value } = readDocument(lines, TITLE);
  const around = isRecord(value) ? value : {};
  const list = isRecord(value) ? value['messages'] : value;
  if (!Array.isArray(list) || !list.some((message) => isRecord(message) && 'role' in message))
    throw noMessages(TITLE, `${bytes.length} bytes of JSON without any`);
  const conversation = { path: isRecord(value) ? ['messages'] : [], messages: list };
  const skipped: SkippedLine[] = [];
  const placed = placeMessages(conversation, { dialect, start: 0, prefix: '', skipped });
  return { bytes, around, conversation, placed, skipped };
}

/** The system prompt and the tool definitions of a request. */
function systemOf({ system, tools }: Message): string {
  const prompt = readContent(system, () => '').flatMap(({ block }) => (block.type === 'text' ? block.text : []));
  return [...prompt, ...(Array.isArray(tools) && tools.length > 0 ? [JSON.stringify(tools)] : [])].join('\n');
}

function read(lines: Iterable<Line>): Session {
  const { around, placed, skipped } = open(lines);
  const systemText = systemOf(around);
  return {
    format: NAME,
    ...(typeof around['model'] === 'string' && { model: around['model'] }),
    ...(systemText !== '' && { systemText }),
    events: eventsOf([placed]),
    skipped,
  };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, conversation, placed } = open(lines);
  yield writeMessages(bytes, conversation, { placed, history, dialect });
}

function* create(history: readonly IContent[], { model, systemText }: NewSession): Generator<Uint8Array> {
  const body = {
    ...(model !== undefined && { model }),
    max_tokens: MAX_TOKENS,
    ...(systemText !== undefined && { system: systemText }),
    messages: newMessages(sendable(history)),
  };
  yield encoder.encode(`${jsonText(body, 'the messages')}\n`);
}

/**
 * Request bodies of Anthropic's Messages API, or a bare list of their messages. One entry is one message, but each tool
 * result in a user message is an entry of its own. A message goes when all of its blocks go, and an answer when nothing
 * but thinking is left of it. Neighbours of one role stay apart: the API joins consecutive turns of one role itself.
 * Source: https://docs.anthropic.com/en/api/messages
 */
export const anthropicMessages: SessionFormat = {
  name: NAME,
  title: 'Anthropic Messages request',
  vocabulary,
  detect: (head) => chatShape(headDocument(head)) === 'anthropic',
  read,
  write,
  create,
};
