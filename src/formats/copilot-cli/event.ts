import type { ContentBlock } from '../../content/content.ts';
import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import { opaqueBlock, unchangeable } from '../blocks/opaque-block.ts';
import { responseBlock, responseText, splitError } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { editChanges, type MessagePart, PartBlocks, type PlacedEdit } from '../messages/message-part.ts';

/** The source of thinking that only this agent can send again. */
const THINKING = 'copilot';
const THINKING_FIELDS = ['reasoningText', 'reasoningOpaque', 'encryptedContent'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textBlock = (text: unknown): ContentBlock | undefined =>
  typeof text === 'string' && text !== '' ? { type: 'text', text } : undefined;

/** The user message that is sent: `transformedContent`; `content` is for the screen. */
export function readUser(data: Fields): MessagePart | undefined {
  const read = new PartBlocks();
  const key = typeof data['transformedContent'] === 'string' ? 'transformedContent' : 'content';
  read.add(textBlock(data[key]), 'data', key);
  for (const [index, attachment] of listOf(data['attachments']).entries()) {
    if (!isRecord(attachment) || attachment['type'] !== 'blob' || typeof attachment['data'] !== 'string') continue;
    const { mimeType, data: bytes, displayName } = attachment;
    const filename = typeof displayName === 'string' ? { filename: displayName } : {};
    const media = { mimeType: asText(mimeType) || '*/*', data: bytes, encoding: 'base64' as const, ...filename };
    read.add({ type: 'media', ...media }, 'data', 'attachments', index);
  }
  return read.part('human');
}

export function readAnswer(data: Fields): MessagePart | undefined {
  const read = new PartBlocks();
  const thought = asText(data['reasoningText']);
  const sealed = asText(data['reasoningOpaque']) || asText(data['encryptedContent']);
  if (thought !== '' || sealed !== '') {
    const encrypted = sealed === '' ? {} : { encryptedContent: sealed };
    read.add({ type: 'thinking', thought, sourceField: THINKING, ...encrypted }, 'data', 'reasoningText');
  }
  read.add(textBlock(data['content']), 'data', 'content');
  for (const [index, request] of listOf(data['toolRequests']).entries()) {
    if (!isRecord(request)) continue;
    const id = asText(request['toolCallId']);
    const name = asText(request['name']) || 'unknown';
    read.add({ type: 'tool_call', id, name, parameters: request['arguments'] ?? {} }, 'data', 'toolRequests', index);
  }
  return read.part('ai');
}

/** The result of a tool that is sent: `content`; `detailedContent` is for the screen. */
export function readResult(data: Fields, toolName: string): MessagePart | undefined {
  const read = new PartBlocks();
  const { result, error } = data;
  const content = isRecord(result) ? result['content'] : result;
  const message = isRecord(error) ? error['message'] : error;
  const hasFailed = data['success'] === false || error !== undefined;
  const facts = hasFailed ? splitError(asText(message) || asText(content)) : { result: content ?? '' };
  read.add(responseBlock(asText(data['toolCallId']), toolName, facts), 'data');
  for (const [index, part] of listOf(isRecord(result) ? result['contents'] : undefined).entries())
    if (isRecord(part) && part['type'] !== 'text' && part['type'] !== 'terminal')
      read.add(opaqueBlock(part), 'data', 'result', 'contents', index);
  return read.part('tool');
}

/** A text that the agent adds to the conversation. */
export function readNotice(text: unknown, ...place: JsonPath): MessagePart | undefined {
  const read = new PartBlocks();
  read.add(textBlock(text), ...place);
  return read.part('human');
}

/** A skill as it is sent: an event refers to the text, and has what stands around it. Source: a recording of 1.0.102 */
export const readSkill = (data: Fields, content: string): MessagePart | undefined =>
  readNotice(`${asText(data['prefix'])}${content}${asText(data['suffix'])}`, 'data');

/** The event of a reference, with the text itself: as 1.0.40 recorded a skill. A session with another text behind a reference is not found. */
const spelledOut = ({ source }: Fields, text: string): JsonChange[] => [
  { kind: 'set', path: ['type'], value: 'user.message' },
  { kind: 'set', path: ['data'], value: { content: text, source } },
];

function changedResult(data: Fields, block: ContentBlock): JsonChange[] {
  if (block.type !== 'tool_response') throw unchangeable(block);
  const text = responseText(block);
  if (block.error === undefined) {
    const path = isRecord(data['result']) ? ['data', 'result', 'content'] : ['data', 'result'];
    const value = isRecord(data['result']) ? text : { content: text };
    const failed: JsonChange[] =
      data['success'] === false ? [{ kind: 'set', path: ['data', 'success'], value: true }] : [];
    const removed: JsonChange[] = 'error' in data ? [{ kind: 'remove', path: ['data', 'error'] }] : [];
    return [...failed, { kind: 'set', path, value }, ...removed];
  }
  const errorChange: JsonChange = isRecord(data['error'])
    ? { kind: 'set', path: ['data', 'error', 'message'], value: text }
    : { kind: 'set', path: ['data', 'error'], value: { message: text, code: 'failure' } };
  return data['success'] === false
    ? [errorChange]
    : [{ kind: 'set', path: ['data', 'success'], value: false }, errorChange];
}

function blockChanges(data: Fields, one: PlacedEdit): JsonChange[] {
  const { path, edit } = one;
  const key = String(path[1]);
  if (edit.kind === 'drop') {
    if (key === 'reasoningText')
      return THINKING_FIELDS.filter((field) => field in data).map((field) => ({
        kind: 'remove',
        path: ['data', field],
      }));
    return path.length === 2 ? [{ kind: 'set', path, value: '' }] : [{ kind: 'remove', path }];
  }
  return editChanges(one, { text: path, name: [...path, 'name'], input: [...path, 'arguments'] });
}

/**
 * The changes of an event for these edits of its blocks. It is removed with its last block, and an answer if only thinking
 * is left.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function eventChanges(event: Fields, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
  if (kept.every(({ block }) => block.type === 'thinking')) return 'remove';
  const data = isRecord(event['data']) ? event['data'] : {};
  return edits.flatMap((one) => {
    const { block, path, edit } = one;
    if (path.length > 1) return blockChanges(data, one);
    if (edit.kind === 'drop') throw unchangeable(block);
    if (edit.kind === 'keep') return [];
    return edit.block.type === 'text' ? spelledOut(data, edit.block.text) : changedResult(data, edit.block);
  });
}

/** True if this agent recorded the thinking. */
export const isOwnThinking = (sourceField: string | undefined): boolean => sourceField === THINKING;
