import type { TextFeatures } from '../features.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { createPieceCounter, LONGEST_PIECE_UNITS } from './byte-pair-merge.ts';
import { cl100kPieceEnd } from './cl100k-pieces.ts';
import { createLongPieceCache } from './long-piece-cache.ts';
import { o200kPieceEnd } from './o200k-pieces.ts';
import {
  BREAK_BEHIND_STATE,
  COLUMN_OF_UNIT,
  FINAL_STATE,
  STOP_UNIT,
  TRANSITIONS,
  UNDECIDED_STATE,
} from './piece-automaton.ts';
import { createWordCache } from './word-cache.ts';

// Local constants: the compiler folds these into the loops; imported bindings are loaded each time.
const columns = COLUMN_OF_UNIT;
const FINAL = FINAL_STATE;
const BREAK_BEHIND = BREAK_BEHIND_STATE;
const UNDECIDED = UNDECIDED_STATE;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;

/** Units after a piece that can change its end: a contraction is an apostrophe and two letters. */
const LOOK_AHEAD_UNITS = 3;

export interface ExactCounter {
  /** Tokens of the text; equal to `tiktoken`'s `encode_ordinary(text).length` unless a piece is longer than 64 K units. */
  count(text: string): number;
  /** The same pass, with the features that estimates of other families need. */
  measure(text: string): TextFeatures;
  /** Clears the caches of words and of long pieces; counts do not depend on them. */
  clearCache(): void;
}

/**
 * An exact counter for the encoding of a vocabulary. Linear in the text, at about 55 MB/s on new code and JSON (bench/tokens.ts);
 * never throws. A piece longer than `LONGEST_PIECE_UNITS` is split, an error of at most two tokens per megabyte.
 * @param blockUnits units per scan; results do not depend on it
 */
export function createExactCounter(vocabulary: Vocabulary, blockUnits: number = LONGEST_PIECE_UNITS): ExactCounter {
  const isO200k = vocabulary.encoding === 'o200k_base';
  const transitions = TRANSITIONS[vocabulary.encoding];
  const longPieces = createLongPieceCache(createPieceCounter(vocabulary));
  const words = createWordCache(longPieces.countPiece);
  const countWord = words.countPiece;
  const units = new Uint16Array(LONGEST_PIECE_UNITS + 1);
  const unitBytes = Buffer.from(units.buffer);
  let tokens = 0;
  let digits = 0;
  let digitPieces = 0;
  let nonAscii = 0;
  let pairs = 0;

  const isAscii = (at: number): boolean => units[at]! < 128;
  const isBreak = (at: number): boolean => units[at] === LINE_FEED || units[at] === CARRIAGE_RETURN;

  /**
   * Counts the pieces of `units[0, end)` that later units cannot change, and returns their end. Only pieces that end
   * after `safeEnd` can be changed; none if `safeEnd` is `end`.
   */
  function countBlock(end: number, safeEnd: number): number {
    let start = 0;
    let blockTokens = 0;
    units[end] = STOP_UNIT;
    while (start < end) {
      let at = start;
      let state = 0;
      do state = transitions[state | columns[units[at++]!]!]!;
      while (state < FINAL);
      let pieceEnd = at - (state - FINAL);
      if (state === BREAK_BEHIND) {
        pieceEnd = at - 2;
        while (!isBreak(pieceEnd - 1)) pieceEnd--;
      } else if (state === UNDECIDED) {
        const found = isO200k ? o200kPieceEnd(units, start, end) : cl100kPieceEnd(units, start, end);
        // `~found` if it is below 0. Without a branch: a rare branch would deoptimise the loop.
        pieceEnd = found ^ (found >> 31);
        if ((found < 0 ? end : pieceEnd) > safeEnd) break;
      }
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

  function countNonAscii(end: number): void {
    for (let at = 0; at < end; at++) {
      const unit = units[at]!;
      if (unit < 128) continue;
      nonAscii++;
      if ((unit & 0xfc00) === 0xdc00 && at > 0 && (units[at - 1]! & 0xfc00) === 0xd800) pairs++;
    }
  }

  function countText(text: string, withNonAscii: boolean): void {
    tokens = 0;
    digits = 0;
    digitPieces = 0;
    nonAscii = 0;
    pairs = 0;
    let wantedUnits = blockUnits;
    for (let position = 0; position < text.length; ) {
      let end = Math.min(position + wantedUnits, text.length);
      if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
      const length = end - position;
      unitBytes.write(length === text.length ? text : text.slice(position, end), 'utf16le');
      let counted = countBlock(length, end === text.length ? length : length - LOOK_AHEAD_UNITS);
      if (counted === 0 && wantedUnits < LONGEST_PIECE_UNITS) {
        wantedUnits = Math.min(wantedUnits * 2, LONGEST_PIECE_UNITS);
        continue;
      }
      if (counted === 0) counted = countBlock(length, length);
      if (withNonAscii) countNonAscii(counted);
      position += counted;
      wantedUnits = blockUnits;
    }
  }

  return {
    count(text) {
      countText(text, false);
      return tokens;
    },
    measure(text) {
      countText(text, true);
      return { tokens, digits, digitPieces, codePoints: text.length - pairs, nonAscii: nonAscii - pairs };
    },
    clearCache() {
      words.clear();
      longPieces.clear();
    },
  };
}
