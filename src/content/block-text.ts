import { errorOf } from './calls/error-of.ts';
import type { ContentBlock, IContent, ThinkingBlock } from './content.ts';
import { readOr } from './foreign-value.ts';

/** Text nested deeper than this is not meant for a model. */
const MAX_LEVELS = 32;

/** Every text of a block that a model reads, in order: the values of parameters and results; nothing for media. */
export function blockTexts(block: ContentBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'code':
      return [block.code];
    case 'thinking':
      return [block.thought];
    case 'media':
      return [];
    case 'tool_call':
      return textsIn(block.parameters);
    case 'tool_response': {
      const error = errorOf(block);
      return error === undefined ? textsIn(block.result) : [...textsIn(block.result), error];
    }
  }
}

/** UTF-16 units of all texts of an entry that a model reads; of hidden thinking, its bytes. */
export function textLength({ blocks }: IContent): number {
  let length = 0;
  for (const block of blocks) {
    if (block.type === 'thinking') length += thinkingLength(block);
    else for (const text of blockTexts(block)) length += text.length;
  }
  return length;
}

/** As long as the text of a thought, or where the block has it only encrypted, as its bytes. */
export const thinkingLength = (block: ThinkingBlock): number => Math.max(block.thought.length, hiddenBytes(block));

function textsIn(value: unknown, levels = MAX_LEVELS): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || levels === 0) return [];
  // Reading them throws where a getter or a proxy does (REQ-HD-013.5).
  const parts = readOr<unknown[], unknown[]>(() => Object.values(value), []);
  return parts.flatMap((part) => textsIn(part, levels - 1));
}

/**
 * The bytes that encryption adds to a thought. Source: most signatures in recorded thoughts of Claude 4.5 and 4.6 decode
 * to the size of the thought plus 175 bytes; the Codex CLI subtracts 650 from OpenAI's encrypted reasoning.
 */
const SIGNATURE_BYTES = 175;
const ENCRYPTION_BYTES = 650;

/** The bytes of a thought that is in its block only encrypted; of OpenAI's, the full reasoning beside its summary. */
export function hiddenBytes({ thought, signature, encryptedContent }: ThinkingBlock): number {
  if (encryptedContent) return bytesIn(encryptedContent, ENCRYPTION_BYTES);
  return thought === '' && signature ? bytesIn(signature, SIGNATURE_BYTES) : 0;
}

const bytesIn = (base64: string, envelopeBytes: number): number => Math.max(0, (base64.length * 3) / 4 - envelopeBytes);
