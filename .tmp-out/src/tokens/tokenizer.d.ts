/** Counts the tokens of text for one family of models. */
export interface Tokenizer {
    readonly family: string;
    /** Whole tokens, at least 0. Never throws, linear in the text's length; special-token text counts as ordinary text. */
    count(text: string): number;
}
