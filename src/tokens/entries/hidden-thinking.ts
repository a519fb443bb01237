import { hiddenBytes } from '../../content/block-text.ts';
import type { ThinkingBlock } from '../../content/content.ts';
import type { Tokenizer } from '../tokenizer.ts';

const BYTES_PER_TOKEN = 4;

/**
 * Tokens of a thought. A signature is the encrypted thought: it counts, by its size, only if the thought is withheld.
 * Encrypted content is the full reasoning, and the thought its summary: the larger one counts.
 */
export const countThinking = (block: ThinkingBlock, tokenizer: Tokenizer): number =>
  Math.max(tokenizer.count(block.thought), Math.ceil(hiddenBytes(block) / BYTES_PER_TOKEN));
