import { isDeepStrictEqual } from 'node:util';
import { append } from '../../content/append.ts';
import { callerFacts } from '../../content/calls/for-program.ts';
import type { ContentBlock, MediaBlock, ThinkingBlock, ToolResponseBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { REPLACES_EARLIER } from '../../content/seen-from.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { fencedCode, opaqueBlock, unchangeable } from '../blocks/opaque-block.ts';
import { resultList } from '../blocks/text-list.ts';
import { responseBlock, responseText, resultText, splitError } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import type { PlacedBlock, PlacedEdit } from '../messages/message-part.ts';

const isText = (item: unknown): item is Fields & { text: string } =>
  isRecord(item) && item['type'] === 'text' && typeof item['text'] === 'string';

function readMedia(item: unknown): MediaBlock | undefined {
  if (!isRecord(item) || (item['type'] !== 'image' && item['type'] !== 'document')) return undefined;
  const source = item['source'];
  if (!isRecord(source)) return undefined;
  const mimeType = typeof source['media_type'] === 'string' ? source['media_type'] : `${item['type']}/*`;
  if (source['type'] === 'base64' && typeof source['data'] === 'string')
    return { type: 'media', mimeType, data: source['data'], encoding: 'base64' };
  if (source['type'] === 'url' && typeof source['url'] === 'string')
    return { type: 'media', mimeType, data: source['url'], encoding: 'url' };
  return undefined;
}

/** The text of a result; a list if it contains anything but text and media, such as a reference to a tool. */
function resultOf(content: unknown): unknown {
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return content;
  const items = content.filter((item) => readMedia(item) === undefined);
  return items.every(isText) ? items.map(({ text }) => text).join('\n') : items;
}

function readResult(item: Fields, path: JsonPath, toolName: string): PlacedBlock[] {
  const content = item['content'];
  const result = resultOf(content);
  const facts = item['is_error'] === true ? splitError(resultText(result)) : { result };
  const block = { ...responseBlock(String(item['tool_use_id']), toolName, facts), ...callerFacts(item) };
  if (!Array.isArray(content)) return [{ block, path }];
  const media = content.flatMap((part, index): PlacedBlock[] => {
    const read = readMedia(part);
    return read ? [{ block: read, path: [...path, 'content', index] }] : [];
  });
  return [{ block, path }, ...media];
}

function readThinking(thought: string, signature: unknown): ThinkingBlock {
  if (typeof signature !== 'string') return { type: 'thinking', thought, sourceField: 'thinking' };
  return { type: 'thinking', thought, sourceField: 'thinking', signature };
}

/** The blocks of the item at `path`; media of a tool result follow the result. */
export function readItem(item: unknown, path: JsonPath, toolNameOf: (callId: string) => string): PlacedBlock[] {
  if (!isRecord(item)) return [];
  const { type } = item;
  if (isText(item)) return [{ block: { type: 'text', text: item.text }, path }];
  if (type === 'thinking' && typeof item['thinking'] === 'string')
    return [{ block: readThinking(item['thinking'], item['signature']), path }];
  if (type === 'redacted_thinking' && typeof item['data'] === 'string')
    return [{ block: { type: 'thinking', thought: '', isHidden: true, encryptedContent: item['data'] }, path }];
  if (type === 'tool_use' && typeof item['id'] === 'string' && typeof item['name'] === 'string')
    return [
      {
        block: {
          type: 'tool_call',
          id: item['id'],
          name: item['name'],
          parameters: item['input'],
          ...callerFacts(item),
        },
        path,
      },
    ];
  if (type === 'tool_result' && typeof item['tool_use_id'] === 'string')
    return readResult(item, path, toolNameOf(item['tool_use_id']));
  if (type === 'compaction') return [{ block: readCompaction(item), path }];
  const media = readMedia(item);
  return [{ block: media ?? opaqueBlock(item), path }];
}

/** Without content the compaction failed, and the API drops nothing. */
function readCompaction(item: Fields): ContentBlock {
  const { content } = item;
  const isMade = typeof content === 'string' && content !== '';
  return { ...opaqueBlock(item), ...(isMade && { providerMetadata: { [REPLACES_EARLIER]: true } }) };
}

/**
 * The blocks of the `content` of an Anthropic message with their paths; the path of string content is empty. Media of a
 * tool result follow the result. Items without a block type become opaque blocks.
 */
export function readContent(content: unknown, toolNameOf: (callId: string) => string): PlacedBlock[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, path: [] }];
  if (!Array.isArray(content)) return [];
  const placed: PlacedBlock[] = [];
  for (const [index, item] of content.entries()) append(placed, readItem(item, [index], toolNameOf));
  return placed;
}

function mediaAlone(): CompressionStrategyError {
  return new CompressionStrategyError(
    'Expected media to be removed with their tool result, got media without it. The file is not written.',
    'SESSION_NOT_WRITABLE',
  );
}

function responseChanges(
  item: Fields,
  path: JsonPath,
  block: ToolResponseBlock,
  kept: ReadonlyMap<number, unknown>,
): JsonChange[] {
  const text = responseText(block);
  const { content } = item;
  const value = Array.isArray(content) ? resultList(content, kept, text) : text;
  const changes: JsonChange[] = [{ kind: 'set', path: [...path, 'content'], value }];
  const failed = block.error !== undefined;
  if (failed !== (item['is_error'] === true)) changes.push({ kind: 'set', path: [...path, 'is_error'], value: failed });
  return changes;
}

function blockChanges(before: ContentBlock, after: ContentBlock, path: JsonPath, isString: boolean): JsonChange[] {
  if (before.type === 'text' && after.type === 'text')
    return [{ kind: 'set', path: isString ? path : [...path, 'text'], value: after.text }];
  if (before.type === 'tool_call' && after.type === 'tool_call')
    return [
      ...(before.name === after.name ? [] : [{ kind: 'set' as const, path: [...path, 'name'], value: after.name }]),
      ...(isDeepStrictEqual(before.parameters, after.parameters)
        ? []
        : [{ kind: 'set' as const, path: [...path, 'input'], value: after.parameters }]),
    ];
  if (before.type === 'media' && after.type === 'media') return [{ kind: 'set', path, value: writeMedia(after) }];
  throw unchangeable(before);
}

/**
 * The changes of `content`, which is at path `at`, for these edits, one per block in order; and the number of items that
 * are left: without any, the message must be removed.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if thinking was changed, or media are kept without their result.
 */
export function contentChanges(
  content: unknown,
  at: JsonPath,
  edits: readonly PlacedEdit[],
): { readonly changes: JsonChange[]; readonly left: number } {
  const items: readonly unknown[] = Array.isArray(content) ? content : [content];
  const changes: JsonChange[] = [];
  let left = items.length;
  for (const { block, path, edit } of edits) {
    if (path.length > 1) continue;
    const parts = edits.filter((part) => part.path.length > 1 && part.path[0] === path[0]);
    const keptParts = parts.filter((part) => part.edit.kind !== 'drop');
    if (edit.kind === 'drop') {
      if (keptParts.length > 0) throw mediaAlone();
      changes.push({ kind: 'remove', path: [...at, ...path] });
      left--;
    } else if (block.type === 'tool_response') {
      const item = items[Number(path[0])];
      const after = edit.kind === 'change' ? edit.block : block;
      if (edit.kind === 'keep' && parts.every((part) => part.edit.kind === 'keep')) continue;
      if (after.type !== 'tool_response' || !isRecord(item)) throw unchangeable(block);
      const media = new Map<number, unknown>();
      for (const { edit: one, path: place } of keptParts) {
        const index = Number(place[2]);
        const isNew = one.kind === 'change' && one.block.type === 'media';
        media.set(index, isNew ? writeMedia(one.block) : (item['content'] as unknown[])[index]);
      }
      append(changes, responseChanges(item, [...at, ...path], after, media));
    } else if (edit.kind === 'change') {
      append(changes, blockChanges(block, edit.block, [...at, ...path], path.length === 0));
    }
  }
  return { changes, left };
}

function writeMedia(block: MediaBlock): Fields {
  const source =
    block.encoding === 'base64'
      ? { type: 'base64', media_type: block.mimeType, data: block.data }
      : { type: 'url', url: block.data };
  return { type: block.mimeType.startsWith('image/') ? 'image' : 'document', source };
}

function writeResponse(block: ToolResponseBlock, parts: readonly ContentBlock[]): Fields {
  const text = responseText(block);
  const items = parts.flatMap((part) => writeBlock(part));
  return {
    tool_use_id: block.callId,
    type: 'tool_result',
    content: items.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', text }]), ...items],
    ...(block.error !== undefined && { is_error: true }),
  };
}

function writeBlock(block: ContentBlock): Fields[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'code':
      return [{ type: 'text', text: fencedCode(block) }];
    case 'media':
      return [writeMedia(block)];
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.parameters ?? {} }];
    case 'tool_response':
      return [writeResponse(block, [])];
    case 'thinking':
      if (block.encryptedContent !== undefined) return [{ type: 'redacted_thinking', data: block.encryptedContent }];
      return [
        {
          type: 'thinking',
          thinking: block.thought,
          ...(block.signature !== undefined && { signature: block.signature }),
        },
      ];
  }
}

/** The content items of a new message: one per block; text and media after a result are written into it. */
export function writeContent(blocks: readonly ContentBlock[]): Fields[] {
  const items: Fields[] = [];
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as ContentBlock;
    if (block.type !== 'tool_response') {
      append(items, writeBlock(block));
      continue;
    }
    let end = index + 1;
    while (end < blocks.length && blocks[end]?.type !== 'tool_response' && blocks[end]?.type !== 'tool_call') end++;
    items.push(writeResponse(block, blocks.slice(index + 1, end)));
    index = end - 1;
  }
  return items;
}
