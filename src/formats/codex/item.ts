import { callerFacts } from '../../content/calls/for-program.ts';
import type { ContentBlock, IContent, Speaker, ToolCallBlock } from '../../content/content.ts';
import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import type { CallsOfResults } from '../blocks/calls-of-results.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { opaqueBlock, unchangeable } from '../blocks/opaque-block.ts';
import { resultList } from '../blocks/text-list.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { argumentsOf, jsonText } from '../json/json-text.ts';
import type { BlockEdit } from '../lines/edits.ts';
import { PartBlocks } from '../messages/message-part.ts';
import { outputText, readOutput } from './output.ts';

/** A call with the status that it was recorded with, which its output needs. */
export interface RecordedCall extends ToolCallBlock {
  readonly status: unknown;
}

/** One recorded item of the Responses API. `places` contains the path of each block in the payload. */
export interface Item {
  readonly speaker: Speaker;
  readonly kind: 'message' | 'reasoning' | 'compaction' | 'call' | 'output';
  readonly blocks: readonly ContentBlock[];
  readonly places: readonly JsonPath[];
}

/** An item and its position: its line, from 1, and in a `compacted` line its index in `replacement_history`. */
export interface PlacedItem {
  readonly item: Item;
  readonly payload: Fields;
  readonly line: number;
  readonly index?: number;
}

/** A live entry and its items, in order; their blocks together are those of the entry. */
export interface PlacedEntry {
  readonly entry: IContent;
  readonly items: readonly PlacedItem[];
}

const NOT_SENT: ReadonlySet<unknown> = new Set(['ghost_snapshot', 'other']);
const COMPACTIONS: ReadonlySet<unknown> = new Set(['compaction', 'context_compaction', 'compaction_summary']);

/**
 * The content of one response item; `undefined` if it is not sent. Adds its calls to `calls`. Items without a block type,
 * such as a built-in search, become opaque blocks, so that they are counted and kept.
 */
export function readItem(payload: Fields, calls: CallsOfResults<RecordedCall>): Item | undefined {
  const { type } = payload;
  if (typeof type !== 'string' || NOT_SENT.has(type)) return undefined;
  if (type === 'message' || type === 'agent_message') {
    const read = message(payload);
    calls.startMessage(read.speaker);
    return read;
  }
  // The agent's own, as its instructions are.
  if (type === 'additional_tools') return single('message', 'human', opaqueBlock(payload));
  if (type === 'reasoning') return reasoning(payload);
  if (COMPACTIONS.has(type)) {
    const encryptedContent = asText(payload['encrypted_content']);
    const sourceField = 'compaction';
    return single('compaction', 'ai', { type: 'thinking', thought: '', isHidden: true, sourceField, encryptedContent });
  }
  if (typeof payload['call_id'] !== 'string') return single('call', 'ai', opaqueBlock(payload));
  if (type.endsWith('_output')) return output(payload, payload['call_id'], calls);
  return call(payload, payload['call_id'], calls);
}

function single(kind: Item['kind'], speaker: Speaker, block: ContentBlock): Item {
  return { kind, speaker, blocks: [block], places: [[]] };
}

function message(payload: Fields): Item {
  const speaker = payload['role'] === 'assistant' ? 'ai' : 'human';
  const { content } = payload;
  const read = new PartBlocks();
  if (typeof content === 'string') read.add(partBlock({ text: content }), 'content');
  for (const [index, part] of (Array.isArray(content) ? content : []).entries())
    read.add(partBlock(part), 'content', index);
  return { kind: 'message', speaker, blocks: read.blocks, places: read.places };
}

function partBlock(part: unknown): ContentBlock | undefined {
  if (!isRecord(part)) return undefined;
  if (typeof part['text'] === 'string') return part['text'] === '' ? undefined : { type: 'text', text: part['text'] };
  if (part['type'] === 'input_image' && typeof part['image_url'] === 'string') return mediaOfUrl(part['image_url']);
  return opaqueBlock(part);
}

function reasoning(payload: Fields): Item {
  const texts = [payload['summary'], payload['content']].flatMap((list) => (Array.isArray(list) ? list : []));
  const thought = texts.flatMap((part) => (isRecord(part) ? asText(part['text']) : [])).join('\n');
  const encryptedContent = payload['encrypted_content'];
  const isEncrypted = typeof encryptedContent === 'string' && encryptedContent !== '';
  if (thought === '' && !isEncrypted) return { kind: 'reasoning', speaker: 'ai', blocks: [], places: [] };
  const sourceField = 'reasoning';
  return single('reasoning', 'ai', {
    type: 'thinking',
    thought,
    sourceField,
    ...(isEncrypted && { encryptedContent }),
  });
}

function call(payload: Fields, id: string, calls: CallsOfResults<RecordedCall>): Item {
  const { name, parameters } = called(payload);
  const block: ToolCallBlock = { type: 'tool_call', id, name, parameters, ...callerFacts(payload) };
  calls.startMessage('ai');
  calls.add({ ...block, status: payload['status'] });
  return single('call', 'ai', block);
}

function called(payload: Fields): { name: string; parameters: unknown } {
  const type = String(payload['type']);
  const name = asText(payload['name']) || type.replace(/_call$/, '');
  if (type === 'custom_tool_call') return { name, parameters: asText(payload['input']) };
  if (type === 'local_shell_call') return { name, parameters: payload['action'] ?? {} };
  return { name, parameters: argumentsOf(payload['arguments']) };
}

function output(payload: Fields, callId: string, calls: CallsOfResults<RecordedCall>): Item {
  calls.startMessage('tool');
  const known = calls.next(callId);
  const given = 'output' in payload ? payload['output'] : payload['tools'];
  const facts = readOutput(Array.isArray(given) && !('output' in payload) ? { tools: given } : given, [
    payload['status'],
    known?.status,
  ]);
  const read = new PartBlocks();
  read.add({ ...responseBlock(callId, known?.name ?? 'unknown', facts), ...callerFacts(payload) }, 'output');
  for (const [index, part] of (Array.isArray(payload['output']) ? payload['output'] : []).entries()) {
    const block = partBlock(part);
    if (block?.type !== 'text') read.add(block, 'output', index);
  }
  return { kind: 'output', speaker: 'tool', blocks: read.blocks, places: read.places };
}

/**
 * The changes of `payload` for these edits of its blocks; the item is removed with its last block.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function itemChanges(payload: Fields, item: Item, edits: readonly BlockEdit[]): 'remove' | JsonChange[] {
  if (edits.length > 0 && edits.every(({ kind }) => kind === 'drop')) return 'remove';
  if (edits.every(({ kind }) => kind === 'keep')) return [];
  if (item.kind === 'output') return outputChanges(payload, item, edits);
  return edits.flatMap((edit, index): JsonChange[] => {
    const path = item.places[index] as JsonPath;
    if (edit.kind === 'keep') return [];
    if (edit.kind === 'drop') return [{ kind: 'remove', path }];
    const { block } = edit;
    if (block.type === 'tool_call') return callChanges(payload, block.name, block.parameters);
    if (block.type !== 'text') throw unchangeable(block);
    return [{ kind: 'set', path: path.length === 1 ? path : [...path, 'text'], value: block.text }];
  });
}

function callChanges(payload: Fields, name: string, parameters: unknown): JsonChange[] {
  const changes: JsonChange[] = payload['name'] === name ? [] : [{ kind: 'set', path: ['name'], value: name }];
  if (payload['type'] === 'local_shell_call') return [{ kind: 'set', path: ['action'], value: parameters }];
  const isText = typeof parameters === 'string' || payload['type'] === 'tool_search_call';
  const value = isText ? parameters : jsonText(parameters, `the parameters of ${name}`);
  const key = payload['type'] === 'custom_tool_call' ? 'input' : 'arguments';
  return [...changes, { kind: 'set', path: [key], value }];
}

function outputChanges(payload: Fields, item: Item, edits: readonly BlockEdit[]): JsonChange[] {
  const given = payload['output'];
  const response = edits[0];
  const kept = new Map<number, unknown>();
  for (const [index, edit] of edits.entries()) {
    if (index === 0 || edit.kind === 'drop') continue;
    if (edit.kind === 'change') throw unchangeable(edit.block);
    const at = item.places[index]?.[1] as number;
    if (Array.isArray(given)) kept.set(at, given[at]);
  }
  if (response?.kind === 'change' && response.block.type === 'tool_response') {
    const text = outputText(response.block, given);
    const value = Array.isArray(given) ? resultList(given, kept, text, 'input_text') : text;
    return [{ kind: 'set', path: ['output'], value }];
  }
  const texts = Array.isArray(given) ? given.filter((part) => isRecord(part) && typeof part['text'] === 'string') : [];
  return [
    {
      kind: 'set',
      path: ['output'],
      value: response?.kind === 'drop' ? [...kept.values()] : [...texts, ...kept.values()],
    },
  ];
}
