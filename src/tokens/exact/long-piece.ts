import { NO_RANK } from '../vocabulary/vocabulary.ts';

/** Positions of a piece fit below this, and rank × this + position is an exact double. */
const RANK_UNIT = 2 ** 26;

/** A binary heap of `rank × RANK_UNIT + position`: the smallest is the leftmost pair of the lowest rank. */
class MergeQueue {
  #heap: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#heap = new Float64Array(capacity);
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  push(entry: number): void {
    if (this.#size === this.#heap.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#heap);
      this.#heap = larger;
    }
    const heap = this.#heap;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= entry) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  /** Removes and returns the smallest entry; there must be one. */
  pop(): number {
    const heap = this.#heap;
    const smallest = heap[0]!;
    const size = --this.#size;
    const entry = heap[size]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= entry) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
    return smallest;
  }
}

/**
 * Tokens of a piece of `length` bytes after all merges, lowest rank first, leftmost first among equals. O(n log n):
 * parts are a linked list, and queue entries whose pair has changed are skipped.
 * @param rankOf the rank of `bytes[start, end)` of the piece; `NO_RANK` if it is not a token
 */
export function countLongPiece(length: number, rankOf: (start: number, end: number) => number): number {
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const pairRank = new Int32Array(length + 1).fill(NO_RANK);
  const queue = new MergeQueue(length + 16);
  const offer = (left: number, end: number): void => {
    const rank = rankOf(left, end);
    pairRank[left] = rank;
    if (rank !== NO_RANK) queue.push(rank * RANK_UNIT + left);
  };
  for (let at = 0; at <= length; at++) {
    next[at] = at + 1;
    previous[at] = at - 1;
  }
  for (let at = 0; at + 1 < length; at++) offer(at, at + 2);

  let parts = length;
  while (!queue.isEmpty) {
    const entry = queue.pop();
    const rank = Math.floor(entry / RANK_UNIT);
    const left = (entry - rank * RANK_UNIT) | 0;
    if (pairRank[left] !== rank) continue;
    const right = next[left]!;
    const after = next[right]!;
    next[left] = after;
    previous[after] = left;
    pairRank[right] = NO_RANK;
    parts--;
    if (after < length) offer(left, next[after]!);
    else pairRank[left] = NO_RANK;
    const before = previous[left]!;
    if (before >= 0) offer(before, after);
  }
  return parts;
}
