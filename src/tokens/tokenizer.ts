/** A token counter for one family of models. */
export interface Tokenizer {
  readonly family: string;
  /** Whole tokens, at least 0. Linear in the text; never throws. The text of a special token counts as ordinary text. */
  count(text: string): number;
}
