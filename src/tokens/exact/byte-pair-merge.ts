import { HASH_MULTIPLIER, NO_RANK, SLOT_ID_MASK, slotHash, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { countLongPiece } from './long-piece.ts';
import { countUniformPiece } from './uniform-piece.ts';
import { MAX_BYTES_PER_UNIT, writeUtf8 } from './unit-bytes.ts';

const ID_BITS = SLOT_ID_MASK;
const HASH_BITS = ~SLOT_ID_MASK;

/** The longest piece that is merged as a whole, in units. */
export const LONGEST_PIECE_UNITS = 0x10000;

/** Up to this length all pairs are scanned for the lowest rank: as fast as a queue at 150 random letters, slower at 200. */
const LONGEST_SCANNED_BYTES = 160;

/** Tokens of the piece `units[start, end)`, at most `LONGEST_PIECE_UNITS` long. */
export type PieceCounter = (units: Uint16Array, start: number, end: number) => number;

/** Whether the bytes of a three-byte character alone merge into one token. */
const UNKNOWN = 0;
const ONE_TOKEN = 1;
const SEVERAL_TOKENS = 2;

/**
 * A counter of the tokens of a piece by byte-pair merging, equal to `tiktoken`. The hash of a range of bytes is computed
 * from two prefix hashes, so a look-up does not read the range.
 */
export function createPieceCounter(vocabulary: Vocabulary): PieceCounter {
  const { longestBytes, bytes: tokenBytes, starts, slots, slotMask, pairRanks, filter, unsafeBorders } = vocabulary;
  const bytes = new Uint8Array(LONGEST_PIECE_UNITS * MAX_BYTES_PER_UNIT);
  const prefixHash = new Int32Array(bytes.length + 1);
  const powers = new Int32Array(longestBytes + 1).fill(1);
  for (let at = 1; at < powers.length; at++) powers[at] = Math.imul(powers[at - 1]!, HASH_MULTIPLIER);
  const partStart = new Int32Array(LONGEST_SCANNED_BYTES + 1);
  const partRank = new Int32Array(LONGEST_SCANNED_BYTES + 1);
  const characterMerges = new Uint8Array(0x10000);

  function rankOf(start: number, end: number): number {
    const length = end - start;
    if (length === 2) return pairRanks[(bytes[start]! << 8) | bytes[start + 1]!]!;
    if (length > longestBytes) return NO_RANK;
    const hash = slotHash((prefixHash[end]! - Math.imul(prefixHash[start]!, powers[length]!)) | 0, length);
    const bit = hash >>> 11;
    if (((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return NO_RANK;
    let slot = hash & slotMask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (((entry ^ hash) & HASH_BITS) === 0) {
        const id = (entry & ID_BITS) - 1;
        let at = starts[id]!;
        if (starts[id + 1]! - at === length) {
          let own = start;
          while (own < end && tokenBytes[at] === bytes[own]) {
            at++;
            own++;
          }
          if (own === end) return id;
        }
      }
      slot = (slot + 1) & slotMask;
    }
    return NO_RANK;
  }

  function mergesAlone(at: number): boolean {
    const first = bytes[at]!;
    const second = bytes[at + 1]!;
    const third = bytes[at + 2]!;
    const codePoint = ((first & 15) << 12) | ((second & 63) << 6) | (third & 63);
    const known = characterMerges[codePoint]!;
    if (known !== UNKNOWN) return known === ONE_TOKEN;
    const hasPair = pairRanks[(first << 8) | second] !== NO_RANK || pairRanks[(second << 8) | third] !== NO_RANK;
    const merges = hasPair && rankOf(at, at + 3) !== NO_RANK;
    characterMerges[codePoint] = merges ? ONE_TOKEN : SEVERAL_TOKENS;
    return merges;
  }

  /**
   * Writes the parts with which merging starts and returns their number: single bytes, or a whole three-byte character
   * that is a token if no token that cuts a character crosses its borders. Exact, because such a character merges only
   * with whole characters, and these merges rank after the merges inside it.
   */
  function splitIntoParts(length: number): number {
    let parts = 0;
    for (let at = 0; at < length; ) {
      const byte = bytes[at]!;
      partStart[parts++] = at;
      if (byte < 0xe0 || byte >= 0xf0) {
        at++;
        continue;
      }
      const end = at + 3;
      const isWhole =
        (at === 0 || unsafeBorders[(bytes[at - 1]! << 8) | byte] === 0) &&
        (end === length || unsafeBorders[(bytes[end - 1]! << 8) | bytes[end]!] === 0) &&
        mergesAlone(at);
      if (!isWhole) {
        partStart[parts++] = at + 1;
        partStart[parts++] = at + 2;
      }
      at = end;
    }
    partStart[parts] = length;
    return parts;
  }

  /** Writes an ASCII piece and returns its length; for another piece, a smaller number, and what it wrote is void. */
  function writeAscii(units: Uint16Array, start: number, end: number): number {
    let hash = 0;
    let length = 0;
    for (let at = start; at < end; at++) {
      const unit = units[at]!;
      if (unit > 127) break;
      bytes[length++] = unit;
      hash = (Math.imul(hash, HASH_MULTIPLIER) + unit + 1) | 0;
      prefixHash[length] = hash;
    }
    return length;
  }

  function write(units: Uint16Array, start: number, end: number): number {
    const length = writeUtf8(units, start, end, bytes);
    let hash = 0;
    for (let at = 0; at < length; at++) {
      hash = (Math.imul(hash, HASH_MULTIPLIER) + bytes[at]! + 1) | 0;
      prefixHash[at + 1] = hash;
    }
    return length;
  }

  /** Writes the first parts and pairs of an ASCII piece and returns the number of parts. */
  function pairBytes(length: number): number {
    for (let at = 0; at < length; at++) {
      partStart[at] = at;
      partRank[at] = pairRanks[(bytes[at]! << 8) | bytes[at + 1]!]!;
    }
    partStart[length] = length;
    return length;
  }

  /** Writes the first parts and pairs of any other piece and returns the number of parts. */
  function pairCharacters(length: number): number {
    const parts = splitIntoParts(length);
    for (let at = 0; at < parts - 1; at++) partRank[at] = rankOf(partStart[at]!, partStart[at + 2]!);
    return parts;
  }

  /** The number of parts that remain of `pairs` when no pair is a token any more. */
  function merge(length: number, pairs: number): number {
    let parts = pairs;
    for (;;) {
      let lowest = NO_RANK;
      let merged = -1;
      for (let at = 0; at < parts - 1; at++) {
        if (partRank[at]! < lowest) {
          lowest = partRank[at]!;
          merged = at;
        }
      }
      if (merged < 0) return parts;
      parts--;
      for (let at = merged + 1; at < parts; at++) {
        partStart[at] = partStart[at + 1]!;
        partRank[at] = partRank[at + 1]!;
      }
      partStart[parts] = length;
      if (merged + 1 < parts) partRank[merged] = rankOf(partStart[merged]!, partStart[merged + 2]!);
      if (merged > 0) partRank[merged - 1] = rankOf(partStart[merged - 1]!, partStart[merged + 1]!);
    }
  }

  function countLong(length: number): number {
    let same = 1;
    while (same < length && bytes[same] === bytes[0]) same++;
    return same === length ? countUniformPiece(length, (count) => rankOf(0, count)) : countLongPiece(length, rankOf);
  }

  // Each loop is a function, so that a path that few pieces take does not deoptimise the others.
  return function countPiece(units, start, end) {
    const isAscii = writeAscii(units, start, end) === end - start;
    const length = isAscii ? end - start : write(units, start, end);
    if (rankOf(0, length) !== NO_RANK) return 1;
    if (length > LONGEST_SCANNED_BYTES) return countLong(length);
    return merge(length, isAscii ? pairBytes(length) : pairCharacters(length));
  };
}
