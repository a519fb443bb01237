const START_SLOTS = 1 << 12;
/** Spreads hashes whose low bits are alike. Source: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/**
 * Gives each hash of a session an id, counted from 0, so that facts about hashes can be kept in typed arrays. A look-up
 * takes constant time; in a `Map` it takes ten times as long.
 */
export class HashIds {
  #size = 0;
  /** At least twice as many slots as hashes, so that probing stays short. */
  #hashes = new Int32Array(START_SLOTS);
  /** The id plus 1; 0 in a free slot. */
  #ids = new Int32Array(START_SLOTS);

  get size(): number {
    return this.#size;
  }

  /** The id of a hash; an unknown hash gets the next one. */
  of(hash: number): number {
    const slot = this.#slotOf(hash);
    const found = this.#ids[slot]!;
    if (found !== 0) return found - 1;
    this.#hashes[slot] = hash;
    this.#ids[slot] = ++this.#size;
    if (this.#size * 2 > this.#ids.length) this.#grow();
    return this.#size - 1;
  }

  /** The slot of a hash, or the free slot for it. */
  #slotOf(hash: number): number {
    const hashes = this.#hashes;
    const ids = this.#ids;
    const last = ids.length - 1;
    let slot = (Math.imul(hash, SPREAD) >>> 8) & last;
    while (ids[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const ids = this.#ids;
    this.#hashes = new Int32Array(ids.length * 4);
    this.#ids = new Int32Array(ids.length * 4);
    for (let at = 0; at < ids.length; at++) {
      if (ids[at] === 0) continue;
      const slot = this.#slotOf(hashes[at]!);
      this.#hashes[slot] = hashes[at]!;
      this.#ids[slot] = ids[at]!;
    }
  }
}
