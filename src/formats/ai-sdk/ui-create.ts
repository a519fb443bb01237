import { createHash } from 'node:crypto';
import { append } from '../../content/append.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { urlOfMedia } from '../blocks/data-url.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { attachedResponses } from '../blocks/sendable.ts';
import { responseText } from '../blocks/tool-result.ts';
import { jsonText } from '../json/json-text.ts';
import { reasoningOf } from './reasoning.ts';
import { outputItem } from './tool-output.ts';

function newParts(block: ContentBlock): unknown[] {
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
    if (block.type !== 'tool_call') return newParts(block);
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

/** New messages for entries; consecutive steps of an answer and their results are in one message. */
export function newUiMessages(entries: readonly IContent[]): unknown[] {
  const messages: { role: string; parts: unknown[] }[] = [];
  const open: OpenParts = new Map();
  for (const entry of entries) {
    if (entry.speaker === 'tool') {
      answer(entry, open);
      continue;
    }
    const isAnswer = entry.speaker === 'ai';
    const parts = isAnswer ? newStep(entry.blocks, open) : entry.blocks.flatMap(newParts);
    if (parts.length === 0) continue;
    const last = messages.at(-1);
    if (isAnswer && last?.role === 'assistant') append(last.parts, parts);
    else messages.push({ role: isAnswer ? 'assistant' : 'user', parts });
  }
  return messages.map(({ role, parts }, index) => {
    const digest = createHash('sha256').update(jsonText(parts, 'the parts of a message')).digest('hex').slice(0, 12);
    return { id: `msg-${digest}-${index}`, role, parts };
  });
}
