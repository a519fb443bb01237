import type { ContentBlock } from '../../content/content.ts';
import { isRecord, jsonFields } from '../../content/foreign-value.ts';
import type { Message } from '../../formats/messages/message-list.ts';

/** The kind of what a tool gave the model and no rule can shorten: the type of its item, its part or its medium, or else its tool. */
export function wholeKind(block: ContentBlock, element: Message): string {
  if (block.type === 'media') return block.mimeType;
  if (block.type === 'code') return typeOf(jsonFields(block.code)) ?? typeOf(element) ?? 'unknown part';
  if (block.type !== 'tool_response') return block.type;
  const first: unknown = Array.isArray(block.result) ? block.result[0] : undefined;
  return typeOf(element) ?? typeOf(first) ?? `result of ${block.toolName}`;
}

const typeOf = (value: unknown): string | undefined =>
  isRecord(value) && typeof value['type'] === 'string' ? value['type'] : undefined;
