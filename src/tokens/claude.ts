import { CLAUDE_PDF_PAGE_TOKENS, claudeImageTokens, type ImageLimits } from './claude-image.ts';
import type { TokenizerFamily } from './family.ts';

const TOKENS_PER_O200K_TOKEN = 1.25;

/** Source: the vision page of the documentation, models before Opus 4.7. */
const IMAGE_LIMITS: ImageLimits = { longestSidePixels: 1568, mostTokens: 1600 };

/**
 * Claude up to 4.6, estimated. Source: usage reported in 188 turns of recorded sessions with Opus 4.5 and Sonnet 4.5:
 * mean error 4.1 % and 4.7 %, 95th percentile 12 %.
 */
export const claude: TokenizerFamily = {
  name: 'claude',
  encoding: 'o200k_base',
  tokensOf: (features) => TOKENS_PER_O200K_TOKEN * features.tokens,
  imageTokens: (width, height) => claudeImageTokens(width, height, IMAGE_LIMITS),
  unsizedImageTokens: IMAGE_LIMITS.mostTokens,
  pdfPageTokens: CLAUDE_PDF_PAGE_TOKENS,
};
