import type { ContentBlock, ThinkingBlock, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { asText, isRecord } from '../../content/foreign-value.ts';
import type { CallsOfResults } from '../blocks/calls-of-results.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { opaqueBlock, unchangeable } from '../blocks/opaque-block.ts';
import { resultList } from '../blocks/text-list.ts';
import { responseBlock, resultText } from '../blocks/tool-result.ts';
import type { JsonChange } from '../json/json-change.ts';
import { argumentsOf, jsonText } from '../json/json-text.ts';
import type { Message } from '../messages/message-list.ts';
import { type MessagePart, PartBlocks, type PlacedEdit } from '../messages/message-part.ts';
import { usageAt } from '../usage/usage-report.ts';

function partBlock(part: unknown): ContentBlock | undefined {
  if (typeof part === 'string') return part === '' ? undefined : { type: 'text', text: part };
  if (!isRecord(part)) return undefined;
  const text = part['text'] ?? part['refusal'];
  if (typeof text === 'string') return text === '' ? undefined : { type: 'text', text };
  const image = part['image_url'];
  const url = isRecord(image) ? image['url'] : image;
  return typeof url === 'string' ? mediaOfUrl(url) : opaqueBlock(part);
}

/** The text parts of a content, joined. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.map(partBlock) : [];
  return parts.flatMap((part) => (part?.type === 'text' ? part.text : [])).join('\n');
}

/** The calls of an assistant message, each with its index in `tool_calls`. */
export function callsOf(message: Message): { index: number; id: string; name: string; parameters: unknown }[] {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  return calls.flatMap((call: unknown, index: number) => {
    const called = isRecord(call) ? (call['function'] ?? call['custom']) : undefined;
    if (!isRecord(call) || !isRecord(called) || typeof called['name'] !== 'string') return [];
    const id = typeof call['id'] === 'string' ? call['id'] : '';
    return [{ index, id, name: called['name'], parameters: argumentsOf(called['arguments'] ?? called['input']) }];
  });
}

/** The `usage` of a chat completion; `undefined` if none was recorded. */
export const chatUsage = usageAt({
  prompt: [['prompt_tokens']],
  completion: [['completion_tokens']],
  cached: [['prompt_tokens_details', 'cached_tokens']],
  written: [['prompt_tokens_details', 'cache_write_tokens']],
  total: [['total_tokens']],
});

/**
 * The entry of a message of the Chat Completions API; `undefined` if it is empty. Calls are added to `calls`, in which
 * results find the name of their tool. A system or developer message is a human entry.
 */
export function readMessage(message: Message, calls: CallsOfResults): MessagePart | undefined {
  const read = new PartBlocks();
  const { role, content } = message;
  const speaker = role === 'assistant' ? 'ai' : role === 'tool' ? 'tool' : 'human';
  calls.startMessage(speaker);
  if (role === 'tool') readResult(message, calls, read);
  else {
    if (role === 'assistant') readReasoning(message, read);
    if (Array.isArray(content))
      for (const [index, part] of content.entries()) {
        if (!repeatsCall(part, message)) read.add(partBlock(part), 'content', index);
      }
    else read.add(partBlock(content), 'content');
    if (role === 'assistant' && typeof message['refusal'] === 'string')
      read.add(partBlock(message['refusal']), 'refusal');
    // Where OpenRouter has the pictures that a model made.
    const pictures = role === 'assistant' && Array.isArray(message['images']) ? message['images'] : [];
    for (const [index, picture] of pictures.entries()) read.add(partBlock(picture), 'images', index);
    for (const { index, id, name, parameters } of callsOf(message)) {
      const call: ToolCallBlock = { type: 'tool_call', id, name, parameters };
      calls.add(call);
      read.add(call, 'tool_calls', index);
    }
  }
  return read.part(speaker);
}

/**
 * The thinking of an answer: OpenRouter's list of it, some of it encrypted, or a text. OpenRouter repeats the list in the text.
 * Source: https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
function readReasoning({ reasoning_details: details, reasoning_content: text }: Message, read: PartBlocks): void {
  for (const [index, detail] of (Array.isArray(details) ? details : []).entries())
    read.add(detailBlock(detail), DETAILS, index);
  if (read.blocks.length === 0 && typeof text === 'string' && text !== '')
    read.add({ type: 'thinking', thought: text, sourceField: 'reasoning_content' }, 'reasoning_content');
}

const DETAILS = 'reasoning_details';

function detailBlock(detail: unknown): ThinkingBlock | undefined {
  if (!isRecord(detail)) return undefined;
  const { data, signature } = detail;
  return {
    type: 'thinking',
    thought: asText(detail['text'] ?? detail['summary']),
    sourceField: DETAILS,
    ...(typeof signature === 'string' && { signature }),
    ...(typeof data === 'string' && { isHidden: true, encryptedContent: data }),
  };
}

/** True for a part that some gateways write beside `tool_calls`: the same call, in the form of another API. */
const repeatsCall = (part: unknown, message: Message): boolean =>
  isRecord(part) && part['type'] === 'tool_use' && callsOf(message).some(({ id }) => id === part['id']);

/** The parts that repeat a call that is removed or changed are removed. */
function repeatedCalls(message: Message, edits: readonly PlacedEdit[]): JsonChange[] {
  const { content } = message;
  const changed = new Set(
    edits.flatMap(({ block, edit }) => (block.type === 'tool_call' && edit.kind !== 'keep' ? block.id : [])),
  );
  return (Array.isArray(content) ? content : []).flatMap((part, index): JsonChange[] =>
    repeatsCall(part, message) && changed.has(String(part.id)) ? [{ kind: 'remove', path: ['content', index] }] : [],
  );
}

function readResult(message: Message, calls: CallsOfResults, read: PartBlocks): void {
  const { content, name } = message;
  const callId = typeof message['tool_call_id'] === 'string' ? message['tool_call_id'] : '';
  const nameOfCall = calls.nextName(callId);
  read.add(
    responseBlock(callId, typeof name === 'string' ? name : nameOfCall, { result: contentText(content) }),
    'content',
  );
  for (const [index, part] of (Array.isArray(content) ? content : []).entries()) {
    const block = partBlock(part);
    if (block?.type !== 'text') read.add(block, 'content', index);
  }
}

/** The content of a result. This API has no field for errors: the error is the first line of the text. */
export function resultContent({ error, result }: ToolResponseBlock): string {
  const text = resultText(result);
  if (error === undefined) return text;
  return text === '' ? error : `${error}\n${text}`;
}

/**
 * The changes of a message for these edits of its blocks. It is removed with its last block, and if only reasoning is left:
 * the API rejects such an answer.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function messageChanges(message: Message, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  const kept = edits.filter(({ edit }) => edit.kind !== 'drop').map(({ block }) => block);
  if (kept.every(({ type }) => type === 'thinking')) return 'remove';
  if (message['role'] === 'tool') return resultChanges(message, edits);
  const changes = edits.flatMap((one) => blockChanges(message, one));
  return withoutEmptied([...changes, ...repeatedCalls(message, edits)], message, kept);
}

/** The changes, but of fields that they would leave empty: `tool_calls` is removed, and the content of calls alone is null. */
function withoutEmptied(changes: JsonChange[], message: Message, kept: readonly ContentBlock[]): JsonChange[] {
  const inPlaceOf = (field: string, some: JsonChange[], change: JsonChange): JsonChange[] => {
    const others = some.filter(({ path }) => path[0] !== field);
    return others.length === some.length ? some : [...others, change];
  };
  const has = (kind: ContentBlock['type']): boolean => kept.some(({ type }) => type === kind);
  const thinking = has('thinking') ? changes : inPlaceOf(DETAILS, changes, { kind: 'remove', path: [DETAILS] });
  const left = has('tool_call')
    ? thinking
    : inPlaceOf('tool_calls', thinking, { kind: 'remove', path: ['tool_calls'] });
  const isSilent = kept.every(({ type }) => type === 'tool_call' || type === 'thinking');
  return isSilent && message['content'] !== null
    ? inPlaceOf('content', left, { kind: 'set', path: ['content'], value: null })
    : left;
}

function blockChanges(message: Message, { path: place, edit }: PlacedEdit): JsonChange[] {
  if (edit.kind === 'keep') return [];
  if (edit.kind === 'drop') return [{ kind: 'remove', path: place }];
  const { block } = edit;
  if (block.type === 'tool_call') {
    const call = (message['tool_calls'] as readonly Message[])[place[1] as number] as Message;
    const isCustom = call['type'] === 'custom';
    const path = [...place, isCustom ? 'custom' : 'function'];
    const given = block.parameters;
    const value = typeof given === 'string' ? given : jsonText(given, `the arguments of ${block.name}`);
    return [
      { kind: 'set', path: [...path, 'name'], value: block.name },
      { kind: 'set', path: [...path, isCustom ? 'input' : 'arguments'], value },
    ];
  }
  if (block.type === 'text') {
    const part = place.length === 2 ? (message['content'] as readonly unknown[])[place[1] as number] : undefined;
    const key = isRecord(part) ? ['refusal' in part ? 'refusal' : 'text'] : [];
    return [{ kind: 'set', path: [...place, ...key], value: block.text }];
  }
  if (block.type === 'thinking' && place[0] !== DETAILS) return [{ kind: 'set', path: place, value: block.thought }];
  throw unchangeable(block);
}

function resultChanges(message: Message, [response, ...attached]: readonly PlacedEdit[]): JsonChange[] {
  const content = message['content'];
  const parts = Array.isArray(content) ? content : [];
  const kept = new Map<number, unknown>();
  for (const { edit, path } of attached) {
    if (edit.kind === 'change') throw unchangeable(edit.block);
    const at = path[1] as number;
    if (edit.kind === 'keep') kept.set(at, parts[at]);
  }
  if (response?.edit.kind === 'change' && response.edit.block.type === 'tool_response') {
    const text = resultContent(response.edit.block);
    const value = Array.isArray(content) ? resultList(content, kept, text) : text;
    return [{ kind: 'set', path: ['content'], value }];
  }
  const texts = response?.edit.kind === 'drop' ? [] : parts.filter((part) => partBlock(part)?.type === 'text');
  return [{ kind: 'set', path: ['content'], value: [...texts, ...kept.values()] }];
}
