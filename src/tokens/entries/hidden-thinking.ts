import type { ThinkingBlock } from '../../content/content.ts';
import type { Tokenizer } from '../tokenizer.ts';

const BYTES_PER_TOKEN = 4;
/**
 * The bytes that encryption adds to a thought. Source: most signatures in recorded thoughts of Claude 4.5 and 4.6 decode
 * to the size of the thought plus 175 bytes; the Codex CLI subtracts 650 from OpenAI's encrypted reasoning.
 */
const [SIGNATURE_BYTES, ENCRYPTION_BYTES] = [175, 650] as const;

function hiddenTokens(base64: string | undefined, envelopeBytes: number): number {
  const bytes = ((base64?.length ?? 0) * 3) / 4 - envelopeBytes;
  return Math.max(0, Math.ceil(bytes / BYTES_PER_TOKEN));
}

/**
 * Tokens of a thought. A signature is the encrypted thought: it counts, by its size, only if the thought is withheld.
 * Encrypted content is the full reasoning, and the thought its summary: the larger one counts.
 */
export function countThinking(block: ThinkingBlock, tokenizer: Tokenizer): number {
  const thought = tokenizer.count(block.thought);
  if (block.encryptedContent) return Math.max(thought, hiddenTokens(block.encryptedContent, ENCRYPTION_BYTES));
  return thought > 0 ? thought : hiddenTokens(block.signature, SIGNATURE_BYTES);
}
