import { append } from '../../content/append.ts';
import { callerFacts } from '../../content/calls/for-program.ts';
import type { ContentBlock, IContent, MediaBlock, Speaker } from '../../content/content.ts';
import { asText, isRecord } from '../../content/foreign-value.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { fencedCode, opaqueBlock, unchangeable } from '../blocks/opaque-block.ts';
import { attachedResponses } from '../blocks/sendable.ts';
import { resultList } from '../blocks/text-list.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import type { Message, MessageDialect } from '../messages/message-list.ts';
import { editChanges, type PlacedBlock, type PlacedEdit, partsByResult } from '../messages/message-part.ts';
import { readReasoning, readText, reasoningOf } from './reasoning.ts';
import { newOutput, outputItem, outputMedia, readOutput } from './tool-output.ts';

/** Parts that control the SDK and are not sent to a model. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['tool-approval-request', 'tool-approval-response']);

const isUrl = (data: string): boolean => /^(?:https?|data):/.test(data);

function readMedia(part: Message): MediaBlock | undefined {
  const data = part['type'] === 'image' ? part['image'] : part['data'];
  if (typeof data !== 'string') return undefined;
  const mimeType = asText(part['mediaType']);
  const filename = typeof part['filename'] === 'string' ? { filename: part['filename'] } : {};
  const media: MediaBlock = isUrl(data)
    ? mediaOfUrl(data)
    : { type: 'media', mimeType: mimeType || 'image/*', data, encoding: 'base64' };
  return { ...media, ...(mimeType !== '' && { mimeType }), ...filename };
}

function readResult(part: Message, path: JsonPath): PlacedBlock[] {
  const { toolCallId, toolName, output, providerOptions } = part;
  const block = {
    ...responseBlock(asText(toolCallId), asText(toolName) || 'unknown', readOutput(output)),
    ...callerFacts(providerOptions),
  };
  const items =
    isRecord(output) && output['type'] === 'content' && Array.isArray(output['value']) ? output['value'] : [];
  const media = items.flatMap((item: unknown, index): PlacedBlock[] => {
    const read = outputMedia(item);
    return read ? [{ block: read, path: [...path, 'output', 'value', index] }] : [];
  });
  return [{ block, path }, ...media];
}

function readPart(part: unknown, path: JsonPath): PlacedBlock[] {
  if (!isRecord(part) || NOT_SENT.has(part['type'])) return [];
  const { type, text } = part;
  if (type === 'text' || type === 'reasoning') {
    const block = (type === 'text' ? readText : readReasoning)(asText(text), part['providerOptions']);
    return block ? [{ block, path }] : [];
  }
  if (type === 'tool-call') {
    const name = asText(part['toolName']) || 'unknown';
    const call = { type: 'tool_call', id: asText(part['toolCallId']), name, parameters: part['input'] ?? {} } as const;
    return [{ block: { ...call, ...callerFacts(part['providerOptions']) }, path }];
  }
  if (type === 'tool-result') return readResult(part, path);
  const media = type === 'image' || type === 'file' ? readMedia(part) : undefined;
  return [{ block: media ?? opaqueBlock(part), path }];
}

function resultChanges(part: Message, { block, path, edit }: PlacedEdit, parts: readonly PlacedEdit[]): JsonChange[] {
  if (edit.kind === 'keep' && parts.every((one) => one.edit.kind === 'keep')) return [];
  const after = edit.kind === 'change' ? edit.block : block;
  if (after.type !== 'tool_response') throw unchangeable(block);
  const before = isRecord(part['output']) ? part['output'] : {};
  const value = before['value'] as readonly unknown[];
  const kept = new Map<number, unknown>();
  for (const one of parts) {
    if (one.edit.kind === 'change') throw unchangeable(one.block);
    const at = Number(one.path.at(-1));
    if (one.edit.kind === 'keep') kept.set(at, value[at]);
  }
  if (before['type'] === 'content' && after.error === undefined && typeof after.result === 'string')
    return [{ kind: 'set', path: [...path, 'output', 'value'], value: resultList(value, kept, after.result) }];
  const output = newOutput(after, [...kept.values()]);
  return output['type'] === before['type']
    ? [{ kind: 'set', path: [...path, 'output', 'value'], value: output['value'] }]
    : [{ kind: 'set', path: [...path, 'output'], value: output }];
}

function partChanges(part: unknown, one: PlacedEdit, parts: readonly PlacedEdit[]): JsonChange[] {
  const { block, path, edit } = one;
  if (edit.kind === 'drop') {
    if (parts.some(({ edit: inner }) => inner.kind !== 'drop')) throw unchangeable(block);
    return [{ kind: 'remove', path }];
  }
  if (block.type === 'tool_response' && isRecord(part)) return resultChanges(part, one, parts);
  const text = path.length === 1 ? path : [...path, 'text'];
  return editChanges(one, { text, name: [...path, 'toolName'], input: [...path, 'input'] });
}

/** The removal of requests to approve removed calls. */
function requestsOf(content: readonly unknown[], edits: readonly PlacedEdit[]): JsonChange[] {
  const removed = new Set(
    edits.flatMap(({ block, edit }) => (edit.kind === 'drop' && block.type === 'tool_call' ? block.id : [])),
  );
  return content.flatMap((part, index): JsonChange[] =>
    isRecord(part) && part['type'] === 'tool-approval-request' && removed.has(asText(part['toolCallId']))
      ? [{ kind: 'remove', path: ['content', index] }]
      : [],
  );
}

function newPart(block: ContentBlock): unknown[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'code') return [{ type: 'text', text: fencedCode(block) }];
  if (block.type === 'media') {
    const { mimeType: mediaType, data, filename } = block;
    if (mediaType.startsWith('image/')) return [{ type: 'image', image: data, mediaType }];
    return [{ type: 'file', data, mediaType, ...(filename !== undefined && { filename }) }];
  }
  if (block.type === 'tool_call')
    return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.parameters ?? {} }];
  const reasoning = block.type === 'thinking' ? reasoningOf(block) : undefined;
  if (!reasoning) return [];
  const { text, options } = reasoning;
  return [{ type: 'reasoning', text, ...(options && { providerOptions: options }) }];
}

/** False for media of an assistant: only users send images. */
const isSayable = ({ type }: ContentBlock, speaker: Speaker): boolean => speaker !== 'ai' || type !== 'media';

function newMessages(entries: readonly IContent[]): unknown[] {
  const messages: unknown[] = [];
  let results: unknown[] | undefined;
  for (const entry of entries) {
    const { speaker, blocks, metadata } = entry;
    if (speaker === 'tool') {
      const parts = attachedResponses(entry).map(({ response, parts: attached }) => ({
        type: 'tool-result',
        toolCallId: response.callId,
        toolName: response.toolName,
        output: newOutput(response, attached.flatMap(outputItem)),
      }));
      if (results) append(results, parts);
      else messages.push({ role: 'tool', content: parts });
      results ??= parts;
      continue;
    }
    results = undefined;
    const content = blocks.filter((block) => isSayable(block, speaker)).flatMap(newPart);
    if (content.length === 0) continue;
    const [only] = blocks;
    const text = blocks.length === 1 && only?.type === 'text' ? only.text : undefined;
    const isSystem = metadata?.['role'] === 'system' && text !== undefined;
    const role = isSystem ? 'system' : speaker === 'ai' ? 'assistant' : 'user';
    messages.push({ role, content: text ?? content });
  }
  return messages;
}

/** Model messages of the AI SDK, `{role: system|user|assistant|tool, content}`. A message is removed with its last block. */
export const modelMessages: MessageDialect = {
  reader: () => (message) => {
    const { role, content } = message;
    const placed =
      typeof content === 'string'
        ? readPart({ type: 'text', text: content }, ['content'])
        : (Array.isArray(content) ? content : []).flatMap((part: unknown, index) => readPart(part, ['content', index]));
    const parts = partsByResult(placed, role === 'assistant' ? 'ai' : 'human', ({ path }) => path.length > 2);
    return role === 'system' ? parts.map((part) => ({ ...part, metadata: { role } })) : parts;
  },
  changes(message, edits) {
    const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
    if (kept.every(({ block }) => block.type === 'thinking')) return 'remove';
    const content: readonly unknown[] = Array.isArray(message['content']) ? message['content'] : [];
    const outer = edits.filter(({ path }) => path.length <= 2);
    const changes = outer.flatMap((one) => {
      const parts = edits.filter(({ path }) => path.length > 2 && path[1] === one.path[1]);
      return partChanges(content[Number(one.path[1])], one, parts);
    });
    return [...changes, ...requestsOf(content, edits)];
  },
  create: newMessages,
};
