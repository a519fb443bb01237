import { createPieceCounter, LONGEST_PIECE_UNITS } from './byte-pair-merge.ts';
import { cl100kPieceEnd } from './cl100k-pieces.ts';
import type { TextFeatures } from './features.ts';
import { o200kPieceEnd } from './o200k-pieces.ts';
import type { Vocabulary } from './vocabulary.ts';
import { createWordCache } from './word-cache.ts';

/** Units beyond a piece that may still change where it ends: a contraction is an apostrophe and two letters. */
const LOOK_AHEAD_UNITS = 3;
const [DIGIT_ZERO, DIGIT_NINE] = [48, 57] as const;

export interface ExactCounter {
  /** Tokens of the text; equal to `tiktoken`'s `encode_ordinary(text).length` unless a piece is longer than 64 K units. */
  count(text: string): number;
  /** The same pass, with what estimates for other families need. */
  measure(text: string): TextFeatures;
  /** Forgets the words seen so far; counts do not depend on them. */
  clearCache(): void;
}

/**
 * An exact counter for the encoding of the vocabulary. Linear in the text, at about 60-100 MB/s on text it has not
 * seen (bench/tokens.ts); never throws. A piece longer than `LONGEST_PIECE_UNITS` is split there, which costs at most
 * two tokens per megabyte.
 * @param blockUnits units that are scanned at once; results do not depend on it
 */
export function createExactCounter(vocabulary: Vocabulary, blockUnits: number = LONGEST_PIECE_UNITS): ExactCounter {
  const isO200k = vocabulary.encoding === 'o200k_base';
  const words = createWordCache(createPieceCounter(vocabulary));
  const countWord = words.countPiece;
  const units = new Uint16Array(LONGEST_PIECE_UNITS);
  const unitBytes = Buffer.from(units.buffer);
  let tokens = 0;
  let digits = 0;
  let digitPieces = 0;

  const isAscii = (at: number): boolean => units[at]! < 128;

  /** Counts whole pieces of `units[0, end)` and gives back where the first one starts that later units may change. */
  function countBlock(end: number, isLast: boolean): number {
    const safeEnd = isLast ? end : end - LOOK_AHEAD_UNITS;
    let start = 0;
    let blockTokens = 0;
    while (start < end) {
      let pieceEnd = isO200k ? o200kPieceEnd(units, start, end) : cl100kPieceEnd(units, start, end);
      if (pieceEnd < 0) {
        if (!isLast) break;
        pieceEnd = ~pieceEnd;
      }
      if (pieceEnd > safeEnd) break;
      const first = units[start]!;
      const length = pieceEnd - start;
      if (first >= DIGIT_ZERO && first <= DIGIT_NINE && isAscii(pieceEnd - 1) && (length < 3 || isAscii(start + 1))) {
        // One, two or three ASCII digits are one token in both encodings; so is any single ASCII character.
        blockTokens++;
        digitPieces++;
        digits += length;
      } else if (length === 1 && first < 128) blockTokens++;
      else blockTokens += countWord(units, start, pieceEnd);
      start = pieceEnd;
    }
    tokens += blockTokens;
    return start;
  }

  function countText(text: string): void {
    tokens = 0;
    digits = 0;
    digitPieces = 0;
    let wantedUnits = blockUnits;
    for (let position = 0; position < text.length; ) {
      let end = Math.min(position + wantedUnits, text.length);
      if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
      const length = end - position;
      unitBytes.write(length === text.length ? text : text.slice(position, end), 'utf16le');
      let counted = countBlock(length, end === text.length);
      if (counted === 0 && wantedUnits < LONGEST_PIECE_UNITS) {
        wantedUnits = Math.min(wantedUnits * 2, LONGEST_PIECE_UNITS);
        continue;
      }
      if (counted === 0) counted = countBlock(length, true);
      position += counted;
      wantedUnits = blockUnits;
    }
  }

  return {
    count(text) {
      countText(text);
      return tokens;
    },
    measure(text) {
      countText(text);
      let nonAscii = 0;
      let pairs = 0;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit < 128) continue;
        nonAscii++;
        if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs++;
      }
      return { tokens, digits, digitPieces, codePoints: text.length - pairs, nonAscii: nonAscii - pairs };
    },
    clearCache: words.clear,
  };
}
