import type { PieceCounter } from './byte-pair-merge.ts';

/** Slots of the table: 2^16 is the knee of the hit rate on code, prose and chat (96-99 %), and takes 2 MB a thread. */
const SLOTS = 1 << 16;
const SLOT_MASK = SLOTS - 1;
/** The table is emptied when this many slots are taken: beyond it probing gets long. */
const MAX_WORDS = Math.floor(SLOTS * 0.6);
const POOL_UNITS = SLOTS * 8;
const LONGEST_WORD_UNITS = 64;

/** Fields of a slot: hash, where the word starts in the pool, `length << 16 | count` (0 where the slot is free). */
const [HASH, START, LENGTH_AND_COUNT, FIELDS_SHIFT] = [0, 1, 2, 2] as const;

export interface WordCache {
  readonly countPiece: PieceCounter;
  /** Forgets all words. */
  clear(): void;
}

/**
 * Remembers how many tokens each short piece has. Bounded, and holds no string: a slice of a text would keep the
 * whole text alive. Equal hashes are told apart by comparing the words themselves.
 */
export function createWordCache(countPiece: PieceCounter): WordCache {
  const slots = new Int32Array(SLOTS << FIELDS_SHIFT);
  const pool = new Uint16Array(POOL_UNITS);
  let words = 0;
  let poolEnd = 0;

  function clear(): void {
    slots.fill(0);
    words = 0;
    poolEnd = 0;
  }

  function remember(slot: number, hash: number, units: Uint16Array, start: number, end: number): number {
    const count = countPiece(units, start, end);
    let free = slot;
    if (words >= MAX_WORDS || poolEnd + end - start > POOL_UNITS) {
      clear();
      free = (hash & SLOT_MASK) << FIELDS_SHIFT;
    }
    words++;
    slots[free + HASH] = hash;
    slots[free + START] = poolEnd;
    slots[free + LENGTH_AND_COUNT] = ((end - start) << 16) | count;
    for (let at = start; at < end; at++) pool[poolEnd++] = units[at]!;
    return count;
  }

  function countCached(units: Uint16Array, start: number, end: number): number {
    const length = end - start;
    if (length > LONGEST_WORD_UNITS) return countPiece(units, start, end);
    let hash = length;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at]!, 0x5bd1e995) ^ (hash >>> 13);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    hash ^= hash >>> 13;
    let slot = (hash & SLOT_MASK) << FIELDS_SHIFT;
    for (;;) {
      const lengthAndCount = slots[slot + LENGTH_AND_COUNT]!;
      if (lengthAndCount === 0) return remember(slot, hash, units, start, end);
      if (slots[slot + HASH] === hash && lengthAndCount >>> 16 === length) {
        let pooled = slots[slot + START]!;
        let at = start;
        while (at < end && pool[pooled] === units[at]) {
          pooled++;
          at++;
        }
        if (at === end) return lengthAndCount & 0xffff;
      }
      slot = (slot + (1 << FIELDS_SHIFT)) & ((SLOTS << FIELDS_SHIFT) - 1);
    }
  }

  return { countPiece: countCached, clear };
}
