import type { TextBlock, ThinkingBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { REPLACES_EARLIER } from '../../content/seen-from.ts';

const fieldsOf = (value: unknown, key: string): Fields => {
  const inner = isRecord(value) ? value[key] : undefined;
  return isRecord(inner) ? inner : {};
};

/**
 * The text of a text part; Anthropic's summary of everything before it is one.
 * Source: `@ai-sdk/anthropic` 3.0.138, conversion of text parts.
 */
export function readText(text: string, options: unknown): TextBlock | undefined {
  if (text === '') return undefined;
  const isSummary = fieldsOf(options, 'anthropic')['type'] === 'compaction';
  return { type: 'text', text, ...(isSummary && { providerMetadata: { [REPLACES_EARLIER]: true } }) };
}

/**
 * The thinking of a reasoning part. `options` is the data of its provider (`providerOptions`, in UI messages
 * `providerMetadata`): Anthropic's signature or redacted data, OpenAI's encrypted reasoning.
 * Source: `@ai-sdk/anthropic` and `@ai-sdk/openai` 3, conversion of reasoning parts.
 */
export function readReasoning(text: string, options: unknown): ThinkingBlock | undefined {
  const { signature, redactedData } = fieldsOf(options, 'anthropic');
  const { reasoningEncryptedContent: sealed } = fieldsOf(options, 'openai');
  if (typeof redactedData === 'string')
    return { type: 'thinking', thought: text, isHidden: true, encryptedContent: redactedData };
  if (typeof sealed === 'string')
    return { type: 'thinking', thought: text, sourceField: 'reasoning', encryptedContent: sealed };
  if (typeof signature === 'string') return { type: 'thinking', thought: text, sourceField: 'thinking', signature };
  return text === '' ? undefined : { type: 'thinking', thought: text };
}

/** The text of a reasoning part and its options; `undefined` for thinking that no provider of the SDK can use. */
export function reasoningOf(block: ThinkingBlock): { text: string; options?: Fields } | undefined {
  const { thought: text, signature, encryptedContent, sourceField } = block;
  if (encryptedContent !== undefined && sourceField === 'reasoning')
    return { text, options: { openai: { reasoningEncryptedContent: encryptedContent } } };
  if (encryptedContent !== undefined && sourceField === undefined)
    return { text, options: { anthropic: { redactedData: encryptedContent } } };
  if (signature !== undefined && sourceField === 'thinking') return { text, options: { anthropic: { signature } } };
  return text === '' ? undefined : { text };
}
