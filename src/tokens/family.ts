import type { TextFeatures } from './features.ts';
import type { Encoding } from './vocabulary/vocabulary.ts';

/** A group of models with one tokenizer. Counts without an exact encoding are estimated from features of one. */
export interface TokenizerFamily {
  readonly name: string;
  /** The encoding that measures the features. */
  readonly encoding: Encoding;
  /** What `tokensOf` uses: the tokens of an exact encoding as they are, those alone, or all features. Only these are measured. */
  readonly estimatesFrom: 'nothing' | 'tokens' | 'features';
  /** True if a model is sent its whole answers again, with the part of a thought that agents do not record. */
  readonly keepsAnswers: boolean;
  /** Tokens of a text with these features, not rounded; 0 only for an empty text. */
  tokensOf(features: TextFeatures): number;
  /** Tokens of an image of this size in pixels, after the vendor's scaling. */
  imageTokens(width: number, height: number): number;
  /** Tokens of an image of unknown size: a URL or an unknown format. */
  readonly unsizedImageTokens: number;
  /** Tokens of one page of a PDF. */
  readonly pdfPageTokens: number;
}

/** A token counter for one family of models. */
export interface Tokenizer {
  readonly family: string;
  /** Whole tokens, at least 0. Linear in the text; never throws. The text of a special token counts as ordinary text. */
  count(text: string): number;
}
