import { createHash } from 'node:crypto';
import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { responseText } from '../anthropic/anthropic-content.ts';
import { mediaOfUrl, urlOfMedia } from '../blocks/data-url.ts';
import { splitError } from '../blocks/failed-result.ts';
import { fencedCode, unchangeable } from '../blocks/opaque-block.ts';
import { type ResponseFacts, responseBlock } from '../blocks/response-block.ts';
import { attachedResponses } from '../blocks/sendable.ts';
import type { JsonChange, JsonPath } from '../json/json-splice.ts';
import { jsonText } from '../json/json-text.ts';
import type { Message, MessageDialect } from '../messages/message-list.ts';
import type { MessagePart, PlacedEdit } from '../messages/message-part.ts';
import { readReasoning, reasoningOf } from './reasoning.ts';
import { outputItem } from './tool-output.ts';

type Fields = Readonly<Record<string, unknown>>;

const DENIED = 'The user denied this call.';
/** States of a tool part with a result. */
const ANSWERED: ReadonlySet<unknown> = new Set(['output-available', 'output-error', 'output-denied']);

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** True if a part is a tool call, with or without its result. */
export const isToolPart = (part: unknown): part is Fields =>
  isRecord(part) && (part['type'] === 'dynamic-tool' || asText(part['type']).startsWith('tool-'));

const toolNameOf = (part: Fields): string =>
  part['type'] === 'dynamic-tool' ? asText(part['toolName']) || 'unknown' : asText(part['type']).slice('tool-'.length);

function resultOf(part: Fields): ResponseFacts {
  const { state, output, errorText, approval } = part;
  if (state === 'output-available') return { result: output ?? '' };
  if (state === 'output-error') return splitError(asText(errorText));
  return { result: '', error: (isRecord(approval) && asText(approval['reason'])) || DENIED };
}

function saidBlock(part: Fields): ContentBlock | undefined {
  const { type, text, url } = part;
  if (type === 'text') return asText(text) === '' ? undefined : { type, text: asText(text) };
  if (type === 'reasoning') return readReasoning(asText(text), part['providerMetadata']);
  if (type !== 'file' || typeof url !== 'string') return undefined;
  const { mediaType, filename } = part;
  return {
    ...mediaOfUrl(url),
    ...(typeof mediaType === 'string' && { mimeType: mediaType }),
    ...(typeof filename === 'string' && { filename }),
  };
}

/** One step of an answer: the output of one model call and the results of its calls. */
class Step {
  readonly #said: { blocks: ContentBlock[]; places: JsonPath[] } = { blocks: [], places: [] };
  readonly #answers: MessagePart[] = [];

  part(part: Fields, index: number): void {
    if (isToolPart(part)) this.#tool(part, index);
    else this.#say(saidBlock(part), ['parts', index]);
  }

  #tool(part: Fields, index: number): void {
    if (part['state'] === 'input-streaming') return;
    const id = asText(part['toolCallId']);
    const name = toolNameOf(part);
    const parameters = part['input'] ?? part['rawInput'] ?? {};
    this.#say({ type: 'tool_call', id, name, parameters }, ['parts', index, 'input']);
    if (!ANSWERED.has(part['state'])) return;
    const response = responseBlock(id, name, resultOf(part));
    this.#answers.push({ speaker: 'tool', blocks: [response], places: [['parts', index, 'output']] });
  }

  #say(block: ContentBlock | undefined, place: JsonPath): void {
    if (!block) return;
    this.#said.blocks.push(block);
    this.#said.places.push(place);
  }

  entries(speaker: 'ai' | 'human'): MessagePart[] {
    return this.#said.blocks.length === 0 ? [] : [{ speaker, ...this.#said }, ...this.#answers];
  }
}

function readMessage(message: Message): MessagePart[] {
  const speaker = message['role'] === 'assistant' ? 'ai' : 'human';
  const entries: MessagePart[] = [];
  let step = new Step();
  for (const [index, part] of partsOf(message).entries()) {
    if (!isRecord(part)) continue;
    if (part['type'] === 'step-start') {
      entries.push(...step.entries(speaker));
      step = new Step();
    } else step.part(part, index);
  }
  return [...entries, ...step.entries(speaker)];
}

export const partsOf = ({ parts }: Message): readonly unknown[] => (Array.isArray(parts) ? parts : []);

const indexOf = ({ path }: PlacedEdit): number => Number(path[1]);

function responseChanges(part: Fields, path: JsonPath, block: ContentBlock): JsonChange[] {
  if (block.type !== 'tool_response') throw unchangeable(block);
  const set = (key: string, value: unknown): JsonChange => ({ kind: 'set', path: [...path, key], value });
  const gone = (...keys: string[]): JsonChange[] =>
    keys.filter((key) => key in part).map((key) => ({ kind: 'remove', path: [...path, key] }));
  const state = block.error === undefined ? 'output-available' : 'output-error';
  const moved = part['state'] === state ? [] : [set('state', state)];
  if (block.error === undefined) return [...moved, set('output', block.result ?? ''), ...gone('errorText')];
  // Only a denied call has an approval that is false; a failed call must not have one.
  const denied = part['state'] === 'output-denied' ? gone('approval') : [];
  return [...moved, set('errorText', responseText(block)), ...gone('output'), ...denied];
}

function callChanges(part: Fields, path: JsonPath, { name, parameters }: ToolCallBlock): JsonChange[] {
  const named: JsonChange =
    part['type'] === 'dynamic-tool'
      ? { kind: 'set', path: [...path, 'toolName'], value: name }
      : { kind: 'set', path: [...path, 'type'], value: `tool-${name}` };
  return [...(toolNameOf(part) === name ? [] : [named]), { kind: 'set', path: [...path, 'input'], value: parameters }];
}

/** A call and its result share a part. Removing the call removes the part; a result can be removed alone. */
function toolChanges(part: Fields, path: JsonPath, [call, response]: readonly PlacedEdit[]): JsonChange[] {
  if (call?.edit.kind === 'drop') {
    if (response && response.edit.kind !== 'drop') throw unchangeable(response.block);
    return [{ kind: 'remove', path }];
  }
  const changes: JsonChange[] = [];
  if (call?.edit.kind === 'change' && call.edit.block.type === 'tool_call')
    changes.push(...callChanges(part, path, call.edit.block));
  if (response?.edit.kind === 'change') changes.push(...responseChanges(part, path, response.edit.block));
  if (response?.edit.kind === 'drop') {
    changes.push({ kind: 'set', path: [...path, 'state'], value: 'input-available' });
    for (const key of ['output', 'errorText', 'preliminary', 'approval'])
      if (key in part) changes.push({ kind: 'remove', path: [...path, key] });
  }
  return changes;
}

function partChanges(part: unknown, index: number, edits: readonly PlacedEdit[]): JsonChange[] {
  const path = ['parts', index];
  if (isToolPart(part)) return toolChanges(part, path, edits);
  return edits.flatMap(({ block, edit }): JsonChange[] => {
    if (edit.kind === 'keep') return [];
    if (edit.kind === 'drop') return [{ kind: 'remove', path }];
    if (edit.block.type !== 'text') throw unchangeable(block);
    return [{ kind: 'set', path: [...path, 'text'], value: edit.block.text }];
  });
}

/** The same edits, and the removal of thinking that would be alone in its step: no provider accepts such an answer. */
function withoutIdleThinking(message: Message, edits: readonly PlacedEdit[]): PlacedEdit[] {
  const starts = partsOf(message).flatMap((part, index) =>
    isRecord(part) && part['type'] === 'step-start' ? index : [],
  );
  const stepOf = (edit: PlacedEdit): number => starts.filter((start) => start < indexOf(edit)).length;
  const isLost = new Set(edits.filter(({ edit }) => edit.kind === 'drop').map(stepOf));
  const speaks = new Set(
    edits.filter(({ block, edit }) => edit.kind !== 'drop' && block.type !== 'thinking').map(stepOf),
  );
  return edits.map((one) =>
    isLost.has(stepOf(one)) && !speaks.has(stepOf(one)) ? { ...one, edit: { kind: 'drop' } } : one,
  );
}

function newSaid(block: ContentBlock): unknown[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'code') return [{ type: 'text', text: fencedCode(block) }];
  if (block.type === 'media') {
    const { mimeType: mediaType, filename } = block;
    return [{ type: 'file', mediaType, url: urlOfMedia(block), ...(filename !== undefined && { filename }) }];
  }
  const reasoning = block.type === 'thinking' ? reasoningOf(block) : undefined;
  if (!reasoning) return [];
  const { text, options } = reasoning;
  return [{ type: 'reasoning', text, ...(options && { providerMetadata: options }) }];
}

/** The parts of calls in new messages that have no result yet, by id. */
type OpenParts = Map<string, Record<string, unknown>>;

function newStep(blocks: readonly ContentBlock[], open: OpenParts): unknown[] {
  const parts = blocks.flatMap((block): unknown[] => {
    if (block.type !== 'tool_call') return newSaid(block);
    const { id: toolCallId, name, parameters } = block;
    const part = { type: `tool-${name}`, toolCallId, state: 'input-available', input: parameters ?? {} };
    open.set(toolCallId, part);
    return [part];
  });
  return parts.length === 0 ? [] : [{ type: 'step-start' }, ...parts];
}

function answer(entry: IContent, open: OpenParts): void {
  for (const { response, parts } of attachedResponses(entry)) {
    const part = open.get(response.callId);
    if (!part) continue;
    const items = parts.flatMap(outputItem);
    const { result, error } = response;
    const text = responseText(response);
    if (error === undefined) {
      const output = items.length === 0 ? (result ?? '') : [...(text === '' ? [] : [{ type: 'text', text }]), ...items];
      Object.assign(part, { state: 'output-available', output });
    } else Object.assign(part, { state: 'output-error', errorText: text });
  }
}

function newMessages(entries: readonly IContent[]): unknown[] {
  const messages: { role: string; parts: unknown[] }[] = [];
  const open: OpenParts = new Map();
  for (const entry of entries) {
    if (entry.speaker === 'tool') {
      answer(entry, open);
      continue;
    }
    const isAnswer = entry.speaker === 'ai';
    const parts = isAnswer ? newStep(entry.blocks, open) : entry.blocks.flatMap(newSaid);
    if (parts.length === 0) continue;
    const last = messages.at(-1);
    if (isAnswer && last?.role === 'assistant') last.parts.push(...parts);
    else messages.push({ role: isAnswer ? 'assistant' : 'user', parts });
  }
  return messages.map(({ role, parts }, index) => {
    const digest = createHash('sha256').update(jsonText(parts, 'the parts of a message')).digest('hex').slice(0, 12);
    return { id: `msg-${digest}-${index}`, role, parts };
  });
}

/**
 * UI messages of the AI SDK, `{id, role, parts}`. A message of the assistant contains several steps; each is one answer
 * and its results, which share a part with their calls. Sources, data parts and incomplete calls are not sent.
 */
export const uiMessages: MessageDialect = {
  reader: () => readMessage,
  changes(message, edits) {
    const own = withoutIdleThinking(message, edits);
    if (own.every(({ edit }) => edit.kind === 'drop')) return 'remove';
    const parts = partsOf(message);
    const indices = [...new Set(own.map(indexOf))];
    return indices.flatMap((index) =>
      partChanges(
        parts[index],
        index,
        own.filter((one) => indexOf(one) === index),
      ),
    );
  },
  create: newMessages,
};
