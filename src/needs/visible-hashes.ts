import type { IContent } from '../content/content.ts';
import type { BlockHashes } from './block-hashes.ts';
import { grown } from './grown.ts';

/** Which lines and names the entries in a changing set contain, as ids of `BlockHashes`. */
export class VisibleHashes {
  readonly #hashes: BlockHashes;
  /** By id: in how many blocks it occurs. */
  #counts = new Int32Array(0);

  constructor(hashes: BlockHashes) {
    this.#hashes = hashes;
  }

  has(id: number): boolean {
    return id < this.#counts.length && this.#counts[id]! > 0;
  }

  add(entry: IContent): void {
    this.#count(entry, 1);
  }

  remove(entry: IContent): void {
    this.#count(entry, -1);
  }

  #count({ blocks }: IContent, by: number): void {
    for (const block of blocks) {
      const ids = this.#hashes.of(block);
      this.#counts = grown(this.#counts, this.#hashes.size);
      const counts = this.#counts;
      for (let at = 0; at < ids.length; at++) counts[ids[at]!]! += by;
    }
  }
}
