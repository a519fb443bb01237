import { CLAUDE_PDF_PAGE_TOKENS, claudeImageTokens, type ImageLimits } from './claude-image.ts';
import type { TokenizerFamily } from './family.ts';

/** Source: the vision page of the documentation, "high-resolution image support" since Opus 4.7. */
const IMAGE_LIMITS: ImageLimits = { longestSidePixels: 2576, mostTokens: 4784 };

/**
 * Claude 4.7 and later, estimated: their tokenizer is new and not published. Source: coefficients that the LLxprt agent
 * fitted on 2026-08-04 to 42 requests each of two Claude 5 models (mean error 0.4 % on held-out requests, all of them
 * around one system prompt; not validated on CJK).
 */
export const recentClaude: TokenizerFamily = {
  name: 'claude-4.7',
  encoding: 'o200k_base',
  tokensOf: ({ tokens, codePoints, nonAscii }) => 0.657 * tokens + 0.231 * codePoints + 0.251 * nonAscii,
  imageTokens: (width, height) => claudeImageTokens(width, height, IMAGE_LIMITS),
  unsizedImageTokens: IMAGE_LIMITS.mostTokens,
  pdfPageTokens: CLAUDE_PDF_PAGE_TOKENS,
};
