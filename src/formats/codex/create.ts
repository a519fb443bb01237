import { append } from '../../content/append.ts';
import type { ContentBlock, IContent, ThinkingBlock, ToolCallBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { urlOfMedia } from '../blocks/data-url.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { attachedResponses, sendable } from '../blocks/sendable.ts';
import type { NewSession } from '../contract.ts';
import { jsonLine, jsonText } from '../json/json-text.ts';
import { parseJson } from '../lines/lines.ts';
import { outputText } from './output.ts';

const STEP_MS = 1000;

/** Items of this API that the provider runs itself: they have no `call_id`. Source: recordings; the item types of the Responses API. */
const NATIVE_ITEM = /^(web_search|file_search|image_generation|code_interpreter)_call$/;

/** The item that was read as this block, if it was one. */
function nativeItem(block: ContentBlock): unknown {
  if (block.type !== 'code' || block.language !== 'json') return undefined;
  const parsed = parseJson(block.code);
  const isNative = parsed.kind === 'json' && isRecord(parsed.value) && NATIVE_ITEM.test(String(parsed.value['type']));
  return isNative ? parsed.value : undefined;
}

/** The message part of a block; `undefined` for a block that becomes an item or cannot be written. */
function messagePart(block: ContentBlock, isAnswer: boolean): unknown {
  const type = isAnswer ? 'output_text' : 'input_text';
  if (block.type === 'text') return { type, text: block.text };
  if (block.type === 'code') return { type, text: fencedCode(block) };
  if (block.type === 'media' && !isAnswer) return { type: 'input_image', image_url: urlOfMedia(block) };
  return undefined;
}

function callItem({ id, name, parameters }: ToolCallBlock): unknown {
  if (typeof parameters === 'string')
    return { type: 'custom_tool_call', status: 'completed', call_id: id, name, input: parameters };
  return {
    type: 'function_call',
    name,
    arguments: jsonText(parameters ?? {}, `the parameters of ${name}`),
    call_id: id,
  };
}

/** Reasoning that this API encrypted: it can use no other thinking. */
function reasoningItems({ sourceField, encryptedContent, thought }: ThinkingBlock): unknown[] {
  if (encryptedContent === undefined) return [];
  if (sourceField === 'compaction') return [{ type: 'compaction', encrypted_content: encryptedContent }];
  if (sourceField !== 'reasoning') return [];
  const summary = thought === '' ? [] : [{ type: 'summary_text', text: thought }];
  return [{ type: 'reasoning', summary, content: null, encrypted_content: encryptedContent }];
}

function outputItems(entry: IContent, isRaw: ReadonlySet<string>): unknown[] {
  return attachedResponses(entry).map(({ response, parts }) => {
    const type = isRaw.has(response.callId) ? 'custom_tool_call_output' : 'function_call_output';
    const text = outputText(response);
    const attached = parts.flatMap((part) => messagePart(part, false) ?? []);
    const output = attached.length > 0 ? [{ type: 'input_text', text }, ...attached] : text;
    return { type, call_id: response.callId, output };
  });
}

/**
 * The Responses API items of an entry. Media and text after a result are written into its output. `isRaw` contains the ids
 * of calls whose input is raw text.
 */
export function newItems(entry: IContent, isRaw: ReadonlySet<string> = new Set()): unknown[] {
  const { speaker, blocks, metadata } = entry;
  if (speaker === 'tool') return outputItems(entry, isRaw);
  const role = speaker === 'ai' ? 'assistant' : metadata?.['role'] === 'developer' ? 'developer' : 'user';
  const items: unknown[] = [];
  let parts: unknown[] = [];
  for (const block of blocks) {
    const native = speaker === 'ai' ? nativeItem(block) : undefined;
    if (native !== undefined) {
      parts = [];
      items.push(native);
      continue;
    }
    const part = messagePart(block, speaker === 'ai');
    if (part !== undefined) {
      if (parts.length === 0) items.push({ type: 'message', role, content: parts });
      parts.push(part);
      continue;
    }
    parts = [];
    if (block.type === 'tool_call') items.push(callItem(block));
    if (block.type === 'thinking') append(items, reasoningItems(block));
  }
  return items;
}

/** A new rollout: header, turn context, one line per item, and for user messages also the line for the screen. */
export function* createRollout(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id, model, workspaceRoot: cwd = '/', startedAt } = session;
  const line = (at: number, type: string, payload: unknown): Uint8Array =>
    jsonLine({ timestamp: new Date(at).toISOString(), type, payload }, `a ${type} line`);
  const timestamp = new Date(startedAt).toISOString();
  const header = { id, timestamp, cwd, originator: 'high-density', cli_version: '0.116.0', source: 'cli' };
  yield line(startedAt, 'session_meta', { ...header, model_provider: 'openai' });
  const policy = { approval_policy: 'on-request', sandbox_policy: { type: 'read-only' }, summary: 'auto' };
  if (model !== undefined) yield line(startedAt, 'turn_context', { cwd, ...policy, model });
  const raw = new Set<string>();
  for (const [index, entry] of sendable(history).entries()) {
    const at = entry.metadata?.timestamp ?? startedAt + index * STEP_MS;
    for (const block of entry.blocks)
      if (block.type === 'tool_call' && typeof block.parameters === 'string') raw.add(block.id);
    for (const item of newItems(entry, raw)) yield line(at, 'response_item', item);
    if (entry.speaker !== 'human') continue;
    const message = entry.blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    yield line(at, 'event_msg', { type: 'user_message', message, images: [], local_images: [], text_elements: [] });
  }
}
