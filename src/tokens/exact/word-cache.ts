import type { PieceCounter } from './byte-pair-merge.ts';

/** Slots of the index, each the number of an entry or 0. Most stay free, so that probing is short. */
const SLOTS = 1 << 16;
const SLOT_MASK = SLOTS - 1;
/** The cache is cleared at this many words: the knee of the hit rate on code, prose and chat (96-99%). */
const MAX_WORDS = 40_000;
const LONGEST_WORD_UNITS = 64;
const POOL_UNITS = 1 << 18;

/**
 * The fields of an entry: two for the key, then `length << 16 | count`. The key of a word of up to four units, or up to
 * eight units below 256, is its units; the key of a longer word is its hash and its start in the pool, and its length
 * has an extra bit, so that the two kinds are never equal.
 */
const FIRST = 0;
const SECOND = 1;
const LENGTH_AND_COUNT = 2;
const FIELDS_SHIFT = 2;
const WIDE_KEY_UNITS = 4;
const NARROW_KEY_UNITS = 8;
const POOLED = 0x8000;

export interface WordCache {
  readonly countPiece: PieceCounter;
  clear(): void;
}

function hashOfKey(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

function hashOfUnits(units: Uint16Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at]!, 0x5bd1e995) ^ (hash >>> 13);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/**
 * A bounded cache of the token counts of short pieces, about 2 MB per thread. It keeps no strings: a slice would keep
 * its whole text in memory. Words are compared completely, so a count is never wrong. Entries are in order of insertion,
 * so that frequent words share cache lines.
 */
export function createWordCache(countPiece: PieceCounter): WordCache {
  const index = new Uint16Array(SLOTS);
  const entries = new Int32Array((MAX_WORDS + 1) << FIELDS_SHIFT);
  const pool = new Uint16Array(POOL_UNITS);
  let words = 0;
  let poolEnd = 0;

  function clear(): void {
    index.fill(0);
    words = 0;
    poolEnd = 0;
  }

  /** The position of a new entry in the free slot, or, if the cache had to be cleared, in the first slot after `hash`. */
  function newEntry(freeSlot: number, hash: number): number {
    let slot = freeSlot;
    if (words === MAX_WORDS || poolEnd + LONGEST_WORD_UNITS > POOL_UNITS) {
      clear();
      slot = hash & SLOT_MASK;
    }
    words++;
    index[slot] = words;
    return words << FIELDS_SHIFT;
  }

  function countLong(units: Uint16Array, start: number, end: number): number {
    // No separate path for the few words that are not kept: a rare path would deoptimise this function.
    const isKept = end - start <= LONGEST_WORD_UNITS;
    const length = (end - start) | POOLED;
    const hash = hashOfUnits(units, start, end);
    let slot = hash & SLOT_MASK;
    for (let word = index[slot]!; word !== 0 && isKept; word = index[slot]!) {
      const entry = word << FIELDS_SHIFT;
      const lengthAndCount = entries[entry + LENGTH_AND_COUNT]!;
      if (entries[entry + FIRST] === hash && lengthAndCount >>> 16 === length) {
        let pooled = entries[entry + SECOND]!;
        let at = start;
        while (at < end && pool[pooled] === units[at]) {
          pooled++;
          at++;
        }
        if (at === end) return lengthAndCount & 0xffff;
      }
      slot = (slot + 1) & SLOT_MASK;
    }
    const count = countPiece(units, start, end);
    if (!isKept) return count;
    const entry = newEntry(slot, hash);
    entries[entry + FIRST] = hash;
    entries[entry + SECOND] = poolEnd;
    entries[entry + LENGTH_AND_COUNT] = (length << 16) | count;
    for (let at = start; at < end; at++) pool[poolEnd++] = units[at]!;
    return count;
  }

  function countCached(units: Uint16Array, start: number, end: number): number {
    const length = end - start;
    // One call of `countLong` for both kinds, for the same reason: wide words are rare.
    let isLong = length > NARROW_KEY_UNITS;
    let first = 0;
    let second = 0;
    let at = start;
    if (length > WIDE_KEY_UNITS && !isLong) {
      let bits = 0;
      for (; at < start + 4; at++) {
        bits |= units[at]!;
        first = (first << 8) | units[at]!;
      }
      for (; at < end; at++) {
        bits |= units[at]!;
        second = (second << 8) | units[at]!;
      }
      isLong = bits > 0xff;
    } else if (!isLong) {
      for (; at < end; at++) {
        second = (second << 16) | (first >>> 16);
        first = (first << 16) | units[at]!;
      }
    }
    if (isLong) return countLong(units, start, end);
    const hash = hashOfKey(first, second);
    let slot = hash & SLOT_MASK;
    for (let word = index[slot]!; word !== 0; word = index[slot]!) {
      const entry = word << FIELDS_SHIFT;
      const lengthAndCount = entries[entry + LENGTH_AND_COUNT]!;
      if (entries[entry + FIRST] === first && entries[entry + SECOND] === second && lengthAndCount >>> 16 === length) {
        return lengthAndCount & 0xffff;
      }
      slot = (slot + 1) & SLOT_MASK;
    }
    const count = countPiece(units, start, end);
    const entry = newEntry(slot, hash);
    entries[entry + FIRST] = first;
    entries[entry + SECOND] = second;
    entries[entry + LENGTH_AND_COUNT] = (length << 16) | count;
    return count;
  }

  return { countPiece: countCached, clear };
}
