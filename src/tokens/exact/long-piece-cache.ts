import type { PieceCounter } from './byte-pair-merge.ts';
import type { WordCache } from './word-cache.ts';

/** A shorter piece is counted faster than it is worth to keep. */
const LEAST_UNITS = 2_048;
/** The units of all pieces that are kept, in one thread: 8 MB. */
const MAX_UNITS = 1 << 22;

interface KeptPiece {
  readonly units: Uint16Array;
  readonly count: number;
}

function hashOfUnits(units: Uint16Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at]!, 0x5bd1e995) ^ (hash >>> 13);
  return hash;
}

const isSame = (kept: Uint16Array, units: Uint16Array, start: number): boolean => {
  for (let at = 0; at < kept.length; at++) if (kept[at] !== units[start + at]) return false;
  return true;
};

/**
 * A bounded cache of the token counts of long pieces: a name or a path without a break is counted many times, and each time
 * takes O(n log n). Pieces are compared completely, so a count is never wrong. When it is full, the piece that was kept first is dropped.
 */
export function createLongPieceCache(countPiece: PieceCounter): WordCache {
  const pieces = new Map<number, KeptPiece>();
  let keptUnits = 0;

  function drop(hash: number): void {
    keptUnits -= pieces.get(hash)?.units.length ?? 0;
    pieces.delete(hash);
  }

  function keep(hash: number, piece: KeptPiece): void {
    drop(hash);
    pieces.set(hash, piece);
    keptUnits += piece.units.length;
    for (const oldest of pieces.keys()) {
      if (keptUnits <= MAX_UNITS) break;
      drop(oldest);
    }
  }

  return {
    countPiece(units, start, end) {
      if (end - start < LEAST_UNITS) return countPiece(units, start, end);
      const hash = hashOfUnits(units, start, end);
      const known = pieces.get(hash);
      if (known?.units.length === end - start && isSame(known.units, units, start)) return known.count;
      const count = countPiece(units, start, end);
      keep(hash, { units: units.slice(start, end), count });
      return count;
    },
    clear() {
      pieces.clear();
      keptUnits = 0;
    },
  };
}
