import type { TokenizerFamily } from './family.ts';

const LONGEST_SIDE_PIXELS = 2048;
const SHORT_SIDE_PIXELS = 768;
const TILE_PIXELS = 512;
const IMAGE_TOKENS = 85;
const TILE_TOKENS = 170;

/**
 * Tokens of an image at high detail: it is scaled to fit 2048 × 2048, then its short side to 768, and each tile of
 * 512 × 512 counts. Source: https://platform.openai.com/docs/guides/images-vision#calculating-costs (gpt-4o, gpt-4.1;
 * gpt-5 counts 70 + 140 per tile, so this is on the safe side).
 */
function openaiImageTokens(width: number, height: number): number {
  const fit = Math.min(1, LONGEST_SIDE_PIXELS / Math.max(width, height));
  const scale = fit * Math.min(1, SHORT_SIDE_PIXELS / (Math.min(width, height) * fit));
  const tiles = Math.ceil((width * scale) / TILE_PIXELS) * Math.ceil((height * scale) / TILE_PIXELS);
  return IMAGE_TOKENS + TILE_TOKENS * tiles;
}

/** An image of 1024 × 1024, the example of the documentation. */
const UNSIZED_IMAGE_TOKENS = 765;

/** The text and an image of each page are sent. Source: https://platform.openai.com/docs/guides/pdf-files */
const PDF_PAGE_TOKENS = 1500;

/** Media of OpenAI models; also the estimate for unknown models. */
export const OPENAI_MEDIA = {
  imageTokens: openaiImageTokens,
  unsizedImageTokens: UNSIZED_IMAGE_TOKENS,
  pdfPageTokens: PDF_PAGE_TOKENS,
} as const;

/** Exact for GPT-4o and all later OpenAI models. */
export const o200k: TokenizerFamily = {
  name: 'o200k',
  encoding: 'o200k_base',
  estimatesFrom: 'nothing',
  keepsAnswers: false,
  tokensOf: (features) => features.tokens,
  ...OPENAI_MEDIA,
};

/** Exact for GPT-4, GPT-4 Turbo and GPT-3.5. */
export const cl100k: TokenizerFamily = {
  name: 'cl100k',
  encoding: 'cl100k_base',
  estimatesFrom: 'nothing',
  keepsAnswers: false,
  tokensOf: (features) => features.tokens,
  ...OPENAI_MEDIA,
};
