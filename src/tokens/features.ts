/**
 * The counts of one pass over a text. All are additive over slices that are cut at safe points. `tokens` are those of the
 * exact encoding, `digitPieces` its pieces of ASCII digits, `digits` their digits; `codePoints` counts a lone surrogate
 * as one, `nonAscii` the code points above U+007F.
 */
export interface TextFeatures {
  readonly tokens: number;
  readonly digits: number;
  readonly digitPieces: number;
  readonly codePoints: number;
  readonly nonAscii: number;
}

/** The features of an empty text. */
export const NO_FEATURES: TextFeatures = { tokens: 0, digits: 0, digitPieces: 0, codePoints: 0, nonAscii: 0 };

export function addFeatures(left: TextFeatures, right: TextFeatures): TextFeatures {
  return {
    tokens: left.tokens + right.tokens,
    digits: left.digits + right.digits,
    digitPieces: left.digitPieces + right.digitPieces,
    codePoints: left.codePoints + right.codePoints,
    nonAscii: left.nonAscii + right.nonAscii,
  };
}
