import type { TokenizerFamily } from './family.ts';

const PIXELS_PER_TOKEN = 750;

/** The limits to which a generation of models scales an image down. */
interface ImageLimits {
  readonly longestSidePixels: number;
  readonly mostTokens: number;
}

/**
 * Tokens of an image: width × height / 750, after scaling to the limits.
 * Source: https://docs.claude.com/en/docs/build-with-claude/vision#calculate-image-costs
 */
function claudeImageTokens(width: number, height: number, limits: ImageLimits): number {
  const scale = Math.min(1, limits.longestSidePixels / Math.max(width, height));
  return Math.min(limits.mostTokens, Math.ceil((width * scale * height * scale) / PIXELS_PER_TOKEN));
}

/**
 * A page is sent as text (1,500 to 3,000 tokens) and as an image.
 * Source: https://docs.claude.com/en/docs/build-with-claude/pdf-support#estimate-your-costs
 */
const PDF_PAGE_TOKENS = 3000;

const TOKENS_PER_O200K_TOKEN = 1.25;

/** Source: the vision page of the documentation, models before Opus 4.7. */
const STANDARD_IMAGE: ImageLimits = { longestSidePixels: 1568, mostTokens: 1600 };

/**
 * Estimates Claude up to 4.6. Source: reported usage of 188 model calls in recorded sessions of Opus 4.5 and Sonnet 4.5:
 * mean error 4.1% and 4.7%, 95th percentile 12%.
 */
export const claude: TokenizerFamily = {
  name: 'claude',
  encoding: 'o200k_base',
  estimatesFrom: 'tokens',
  keepsAnswers: true,
  tokensOf: (features) => TOKENS_PER_O200K_TOKEN * features.tokens,
  imageTokens: (width, height) => claudeImageTokens(width, height, STANDARD_IMAGE),
  unsizedImageTokens: STANDARD_IMAGE.mostTokens,
  pdfPageTokens: PDF_PAGE_TOKENS,
};

/** Source: the vision page of the documentation, "high-resolution image support" since Opus 4.7. */
const HIGH_RESOLUTION_IMAGE: ImageLimits = { longestSidePixels: 2576, mostTokens: 4784 };

/**
 * Estimates Claude 4.7 and later, whose new tokenizer is not published. Source: coefficients that the LLxprt agent fitted
 * on 2026-08-04 to 42 requests each of two Claude 5 models (mean error 0.4% on held-out requests, all with one system
 * prompt; not validated on CJK).
 */
export const recentClaude: TokenizerFamily = {
  name: 'claude-4.7',
  encoding: 'o200k_base',
  estimatesFrom: 'features',
  keepsAnswers: true,
  tokensOf: ({ tokens, codePoints, nonAscii }) => 0.657 * tokens + 0.231 * codePoints + 0.251 * nonAscii,
  imageTokens: (width, height) => claudeImageTokens(width, height, HIGH_RESOLUTION_IMAGE),
  unsizedImageTokens: HIGH_RESOLUTION_IMAGE.mostTokens,
  pdfPageTokens: PDF_PAGE_TOKENS,
};
