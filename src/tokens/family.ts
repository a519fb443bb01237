import type { TextFeatures } from './features.ts';
import type { Encoding } from './vocabulary/vocabulary.ts';

/** Models that count alike. What is not an exact encoding is estimated from features of one. */
export interface TokenizerFamily {
  readonly name: string;
  /** The encoding whose features `tokensOf` takes. */
  readonly encoding: Encoding;
  /** Whether `tokensOf` looks at `tokens` alone: a text is then counted without what the other features take. */
  readonly needsTokensOnly: boolean;
  /** Tokens of a text with these features, not rounded; 0 for an empty text, more than 0 for any other. */
  tokensOf(features: TextFeatures): number;
  /** Tokens of an image of this size in pixels, after the scaling that the vendor does. */
  imageTokens(width: number, height: number): number;
  /** Tokens of an image whose size cannot be read: a URL, or a format that is not known. */
  readonly unsizedImageTokens: number;
  /** Tokens of one page of a PDF. */
  readonly pdfPageTokens: number;
}
