const PIXELS_PER_TOKEN = 750;

/** What a generation of models scales an image down to before it looks at it. */
export interface ImageLimits {
  readonly longestSidePixels: number;
  readonly mostTokens: number;
}

/**
 * Tokens of an image: width × height / 750 after it is scaled down to the limits.
 * Source: https://docs.claude.com/en/docs/build-with-claude/vision#calculate-image-costs
 */
export function claudeImageTokens(width: number, height: number, limits: ImageLimits): number {
  const scale = Math.min(1, limits.longestSidePixels / Math.max(width, height));
  return Math.min(limits.mostTokens, Math.ceil((width * scale * height * scale) / PIXELS_PER_TOKEN));
}

/**
 * A page is sent as text (1,500 to 3,000 tokens) and as an image.
 * Source: https://docs.claude.com/en/docs/build-with-claude/pdf-support#estimate-your-costs
 */
export const CLAUDE_PDF_PAGE_TOKENS = 3000;
