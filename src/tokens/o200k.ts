import type { TokenizerFamily } from './family.ts';
import { OPENAI_PDF_PAGE_TOKENS, OPENAI_UNSIZED_IMAGE_TOKENS, openaiImageTokens } from './openai-image.ts';

/** Exact for GPT-4o and everything OpenAI released after it. */
export const o200k: TokenizerFamily = {
  name: 'o200k',
  encoding: 'o200k_base',
  tokensOf: (features) => features.tokens,
  imageTokens: openaiImageTokens,
  unsizedImageTokens: OPENAI_UNSIZED_IMAGE_TOKENS,
  pdfPageTokens: OPENAI_PDF_PAGE_TOKENS,
};
