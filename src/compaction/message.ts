import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError } from '../errors.ts';

export interface TextBlock {
  type: 'text';
  text: string;
}

export interface ImageBlock {
  type: 'image';
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string };
}

export interface DocumentBlock {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string };
  title?: string | null;
  context?: string | null;
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | (TextBlock | ImageBlock)[];
  is_error?: boolean;
}

export type MessageBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock;

/**
 * Blocks of any version of Anthropic's SDK. Its versions know different types of blocks, so no other type can be assigned
 * to and from the `MessageParam` of all of them (docs/readings.md, row 45).
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
type VendorBlocks = any[];

/** A message of Anthropic's Messages API, or a system prompt. Source: https://docs.anthropic.com/en/api/messages */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string | MessageBlock[] | VendorBlocks;
}

/** The minimal type of a message, which fits every version of Anthropic's `MessageParam`. */
export interface MessageLike {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly { readonly type: string }[];
}

/** A message that a compaction writes: one text. */
export interface WrittenMessage {
  role: 'user' | 'assistant';
  content: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The blocks of a message as unchecked records; a string is one text block. Other values are omitted. */
export function blocksOf({ content }: { readonly content: unknown }): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** @throws CompressionStrategyError `HISTORY_INVALID` if the value is not a list of messages. */
export function assertMessages(messages: unknown): void {
  const wrong = Array.isArray(messages) ? messages.findIndex((message) => !isRecord(message)) : undefined;
  if (wrong === -1) return;
  const got = wrong === undefined ? typeof messages : `${String((messages as unknown[])[wrong])} at index ${wrong}`;
  throw new CompressionStrategyError(
    `Expected a list of messages, each with a role and a content, got ${got}.`,
    'HISTORY_INVALID',
  );
}
