import { hiddenBytes } from '../../content/block-text.ts';
import { errorOf } from '../../content/calls/error-of.ts';
import type { CodeBlock, ContentBlock, IContent, ThinkingBlock } from '../../content/content.ts';
import { jsonText } from '../../content/json-text.ts';
import type { Tokenizer } from '../family.ts';
import { familyNamed } from '../index.ts';
import { countMedia } from './media.ts';
import { opaqueParts } from './opaque.ts';

/** Tokens of a value in a request: a string is sent as it is, `undefined` as nothing, other values as JSON. */
export function countValue(value: unknown, tokenizer: Tokenizer): number {
  let tokens = 0;
  for (const text of jsonText(value)) tokens += tokenizer.count(text);
  return tokens;
}

/**
 * Tokens of the parts of a block that a model is sent, without ids and metadata; for a result, its value and its error.
 * Linear in the size of the block; never throws.
 */
export function countBlock(block: ContentBlock, tokenizer: Tokenizer): number {
  switch (block.type) {
    case 'text':
      return tokenizer.count(block.text);
    case 'tool_call':
      return tokenizer.count(block.name) + countValue(block.parameters, tokenizer);
    case 'tool_response':
      return countValue(block.result, tokenizer) + countValue(errorOf(block), tokenizer);
    case 'thinking':
      return countThinking(block, tokenizer);
    case 'code':
      return countCode(block, tokenizer);
    case 'media':
      return tokenizer.count(block.caption ?? '') + countMedia(block, familyNamed(tokenizer.family), tokenizer);
  }
}

/**
 * Tokens of an entry: the sum over its blocks, or the reported size of an answer if that is larger. The frame of other
 * messages is not counted: most vendors do not publish it, and an empty entry counts 0 (F-001).
 */
export function countEntry(entry: IContent, tokenizer: Tokenizer): number {
  let tokens = 0;
  for (const block of entry.blocks) tokens += countBlock(block, tokenizer);
  return Math.max(tokens, answerTokens(entry, tokenizer.family));
}

/**
 * The size of an answer as its provider reported it, if all of it is sent again; otherwise 0. Recorded text can be less:
 * a thought is recorded as a summary. Source: docs/token-counting.md.
 */
export function answerTokens({ speaker, blocks, metadata }: IContent, family: string): number {
  if (speaker !== 'ai' || blocks.length === 0 || !familyNamed(family).keepsAnswers) return 0;
  const tokens = metadata?.usage?.completionTokens ?? 0;
  return Number.isSafeInteger(tokens) ? tokens : 0;
}

const BYTES_PER_TOKEN = 4;

/**
 * Tokens of a thought. A signature is the encrypted thought: it counts, by its size, only if the thought is withheld.
 * Encrypted content is the full reasoning, and the thought its summary: the larger one counts.
 */
const countThinking = (block: ThinkingBlock, tokenizer: Tokenizer): number =>
  Math.max(tokenizer.count(block.thought), Math.ceil(hiddenBytes(block) / BYTES_PER_TOKEN));

function countCode(block: CodeBlock, tokenizer: Tokenizer): number {
  const { text, binaries } = opaqueParts(block);
  return binaries.reduce((tokens, binary) => tokens + countBlock(binary, tokenizer), tokenizer.count(text));
}

/** True if a part of a block is counted by its size in any family: media, and what is only encrypted. */
export function isCountedBySize(block: ContentBlock): boolean {
  if (block.type === 'thinking') return hiddenBytes(block) > 0;
  return block.type === 'media' || (block.type === 'code' && opaqueParts(block).binaries.length > 0);
}
