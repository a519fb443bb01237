import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import type { NewSession } from '../contract.ts';
import { urlOfMedia } from '../data-url.ts';
import { jsonText } from '../json-text.ts';
import { fencedCode } from '../opaque-block.ts';
import { sendable } from '../sendable.ts';
import { outputText } from './output.ts';

const STEP_MS = 1000;
const encoder = new TextEncoder();

/** The part of a message that says what a block says; undefined for what is an item of its own or has no place. */
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

/**
 * The Responses API items of an entry. Thinking of another provider has no place: only encrypted reasoning is kept.
 * Media and text behind a response go into its output. `isRaw` has the ids of the calls whose input is raw text.
 */
export function newItems({ speaker, blocks, metadata }: IContent, isRaw?: ReadonlySet<string>): unknown[] {
  const items: unknown[] = [];
  let parts: unknown[] = [];
  const role = speaker === 'ai' ? 'assistant' : metadata?.['role'] === 'developer' ? 'developer' : 'user';
  const flush = (): void => {
    if (parts.length > 0) items.push({ type: 'message', role, content: parts });
    parts = [];
  };
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'tool_response') {
      flush();
      const behind = blocks.slice(index + 1);
      const end = behind.findIndex(({ type }) => type === 'tool_response');
      const text = outputText(block);
      const attached = (end === -1 ? behind : behind.slice(0, end)).flatMap((part) => messagePart(part, false) ?? []);
      const type = isRaw?.has(block.callId) ? 'custom_tool_call_output' : 'function_call_output';
      const output = attached.length > 0 ? [{ type: 'input_text', text }, ...attached] : text;
      items.push({ type, call_id: block.callId, output });
    } else if (speaker === 'tool') {
      if (!blocks.slice(0, index).some(({ type }) => type === 'tool_response')) parts.push(messagePart(block, false));
    } else if (block.type === 'tool_call') {
      flush();
      items.push(callItem(block));
    } else if (block.type === 'thinking') {
      flush();
      if (block.encryptedContent === undefined) continue;
      const summary = block.thought === '' ? [] : [{ type: 'summary_text', text: block.thought }];
      items.push({ type: 'reasoning', summary, content: null, encrypted_content: block.encryptedContent });
    } else parts.push(...[messagePart(block, speaker === 'ai') ?? []].flat());
  }
  flush();
  return items;
}

/** A new rollout: header, turn context, one line per item, and for what people said the line that the screen shows. */
export function* createRollout(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id, model, workspaceRoot: cwd = '/', startedAt } = session;
  const line = (at: number, type: string, payload: unknown): Uint8Array =>
    encoder.encode(`${jsonText({ timestamp: new Date(at).toISOString(), type, payload }, `a ${type} line`)}\n`);
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
