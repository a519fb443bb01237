import type { TokenizerFamily } from './family.ts';
import { OPENAI_PDF_PAGE_TOKENS, OPENAI_UNSIZED_IMAGE_TOKENS, openaiImageTokens } from './openai-image.ts';

/** Exact for GPT-4, GPT-4 Turbo and GPT-3.5. */
export const cl100k: TokenizerFamily = {
  name: 'cl100k',
  encoding: 'cl100k_base',
  tokensOf: (features) => features.tokens,
  imageTokens: openaiImageTokens,
  unsizedImageTokens: OPENAI_UNSIZED_IMAGE_TOKENS,
  pdfPageTokens: OPENAI_PDF_PAGE_TOKENS,
};
