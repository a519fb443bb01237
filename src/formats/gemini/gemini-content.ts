import { append } from '../../content/append.ts';
import type { ContentBlock, IContent, MediaBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { fencedCode, opaqueBlock } from '../blocks/opaque-block.ts';
import { attachedResponses } from '../blocks/sendable.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { Line } from '../contract.ts';
import { type JsonChange, type JsonPath, valueAt } from '../json/json-change.ts';
import { findMessages, type MessageDocument, placeAll } from '../messages/message-document.ts';
import type { Message, MessageDialect } from '../messages/message-list.ts';
import {
  editChanges,
  type MessagePart,
  type PlacedBlock,
  type PlacedEdit,
  partOf,
  partsByResult,
} from '../messages/message-part.ts';
import { CallIds } from './call-ids.ts';
import { newResponse, responseChanges, responseFacts, withoutOtherError } from './function-response.ts';

const ROLES: ReadonlySet<unknown> = new Set(['user', 'model']);

function readMedia(part: Fields): MediaBlock | undefined {
  const inline = part['inlineData'];
  const file = part['fileData'];
  if (isRecord(inline) && typeof inline['data'] === 'string')
    return { type: 'media', mimeType: String(inline['mimeType'] ?? '*/*'), data: inline['data'], encoding: 'base64' };
  if (isRecord(file) && typeof file['fileUri'] === 'string')
    return { type: 'media', mimeType: String(file['mimeType'] ?? '*/*'), data: file['fileUri'], encoding: 'url' };
  return undefined;
}

/** The media in the `functionResponse` of the part at `path`. */
export function responseMedia({ parts }: Fields, path: JsonPath): PlacedBlock[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown, index): PlacedBlock[] => {
    const block = isRecord(part) ? readMedia(part) : undefined;
    return block ? [{ block, path: [...path, 'functionResponse', 'parts', index] }] : [];
  });
}

function readResponse(response: Fields, path: JsonPath, ids: CallIds): PlacedBlock[] {
  const name = typeof response['name'] === 'string' ? response['name'] : 'unknown';
  const block = responseBlock(ids.result(response['id'], name), name, responseFacts(response['response']));
  return [{ block, path }, ...responseMedia(response, path)];
}

/** The blocks of one part; their paths start at `path`. */
export function readPart(part: unknown, path: JsonPath, ids: CallIds): PlacedBlock[] {
  if (typeof part === 'string') return part === '' ? [] : [{ block: { type: 'text', text: part }, path }];
  if (!isRecord(part)) return [];
  const { text, thought, thoughtSignature: signature, functionCall: call, functionResponse: response } = part;
  const isThought = thought === true || typeof thought === 'string';
  if (isThought) {
    const words = typeof thought === 'string' ? thought : typeof text === 'string' ? text : '';
    const signed = typeof signature === 'string' ? { signature } : {};
    return [{ block: { type: 'thinking', thought: words, sourceField: 'thought', ...signed }, path }];
  }
  if (typeof text === 'string') return text === '' ? [] : [{ block: { type: 'text', text }, path }];
  if (isRecord(call)) {
    const name = typeof call['name'] === 'string' ? call['name'] : 'unknown';
    const parameters = call['args'] ?? {};
    return [{ block: { type: 'tool_call', id: ids.call(call['id'], name, parameters), name, parameters }, path }];
  }
  if (isRecord(response)) return readResponse(response, path, ids);
  const media = readMedia(part);
  return [{ block: media ?? opaqueBlock(part), path }];
}

/** The blocks of a list of parts, of one part or of a text; their paths start at `path`. */
export function readParts(parts: unknown, path: JsonPath, ids: CallIds): PlacedBlock[] {
  if (!Array.isArray(parts)) return readPart(parts, path, ids);
  return parts.flatMap((part, index) => readPart(part, [...path, index], ids));
}

/** The entries of a user turn: each result with its media is one, and blocks between results are one. */
export function userParts(placed: readonly PlacedBlock[]): MessagePart[] {
  return partsByResult(placed, 'human', ({ block }) => block.type === 'media');
}

/**
 * The changes of a part, which may be a text, for this edit of its block.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function partChanges(part: unknown, one: PlacedEdit): JsonChange[] {
  const { block, path, edit } = one;
  const found = isRecord(part) ? part['functionResponse'] : undefined;
  const after = edit.kind === 'change' ? edit.block : undefined;
  if (after?.type === 'tool_response' && block.type === 'tool_response' && isRecord(found)) {
    const { response } = found;
    const inner = [...path, 'functionResponse', 'response'];
    return responseChanges(response, inner, withoutOtherError(response, block, after));
  }
  return editChanges(one, {
    text: isRecord(part) ? [...path, 'text'] : path,
    name: [...path, 'functionCall', 'name'],
    input: [...path, 'functionCall', 'args'],
  });
}

function writeMedia({ encoding, mimeType, data }: MediaBlock): unknown {
  return encoding === 'base64' ? { inlineData: { mimeType, data } } : { fileData: { mimeType, fileUri: data } };
}

/** The parts of a block in a new turn; thinking only if this API wrote it. */
export function newParts(block: ContentBlock): unknown[] {
  if (block.type === 'text') return [{ text: block.text }];
  if (block.type === 'code') return [{ text: fencedCode(block) }];
  if (block.type === 'media') return [writeMedia(block)];
  if (block.type === 'tool_call')
    return [{ functionCall: { id: block.id, name: block.name, args: argumentsOf(block.parameters) } }];
  if (block.type === 'tool_response') return [newResponse(block)];
  if (block.sourceField !== 'thought') return [];
  return [{ text: block.thought, thought: true, ...(block.signature && { thoughtSignature: block.signature }) }];
}

/** The `args` of a call, which must be an object: another value, such as raw text, becomes its `input`. */
export function argumentsOf(parameters: unknown): unknown {
  return isRecord(parameters) ? parameters : parameters === undefined ? {} : { input: parameters };
}

function newContents(entries: readonly IContent[]): unknown[] {
  const contents: { role: string; parts: unknown[] }[] = [];
  let results: unknown[] | undefined;
  for (const entry of entries) {
    const parts =
      entry.speaker === 'tool'
        ? attachedResponses(entry).flatMap(({ response, parts: attached }) => [response, ...attached].flatMap(newParts))
        : entry.blocks.flatMap(newParts);
    if (parts.length === 0) continue;
    // All results of one turn of the model must be in the next turn.
    if (entry.speaker === 'tool' && results) append(results, parts);
    else contents.push({ role: entry.speaker === 'ai' ? 'model' : 'user', parts });
    results = entry.speaker === 'tool' ? (results ?? parts) : undefined;
  }
  return contents;
}

/**
 * Turns of the Gemini API, `{role: user|model, parts}`. Results are paired by id, or without ids by name and order. A turn
 * is removed with its last part, and an answer if only thoughts are left.
 * Source: https://ai.google.dev/api/caching#Content
 */
export const geminiContents: MessageDialect = {
  reader() {
    const ids = new CallIds();
    return (message) => {
      const isAnswer = message['role'] === 'model';
      if (isAnswer) ids.turn();
      const placed = readParts(message['parts'], ['parts'], ids);
      if (placed.length === 0) return [];
      return isAnswer ? [partOf('ai', placed)] : userParts(placed);
    };
  },
  changes(message: Message, edits) {
    const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
    if (kept.every(({ block }) => block.type === 'thinking')) return 'remove';
    return edits.flatMap((one) => partChanges(valueAt(message, one.path), one));
  },
  create: newContents,
};

/** Reads documents with turns of the Gemini API under one of `keys`. */
export const contentsDocument =
  (title: string, keys: readonly string[]) =>
  (lines: Iterable<Line>): MessageDocument =>
    placeAll(
      findMessages(lines, { title, keys, isMessage: (turn) => isRecord(turn) && 'parts' in turn }),
      geminiContents,
    );

/** True if a list, which may be cut, contains turns of the Gemini API. */
export function isContentList(list: unknown): list is readonly unknown[] {
  if (!Array.isArray(list) || list.length === 0) return false;
  const whole = list.length > 1 ? list.slice(0, -1) : list;
  // Parts with a `type` belong to the AI SDK.
  const isPart = (part: unknown): boolean => !isRecord(part) || !('type' in part);
  return whole.every(
    (turn) => isRecord(turn) && ROLES.has(turn['role']) && Array.isArray(turn['parts']) && turn['parts'].every(isPart),
  );
}
