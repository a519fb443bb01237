import { blockTexts } from '../content/block-text.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { blockLineHashes } from '../content/lines/block-line-hashes.ts';
import { textUnits } from '../content/lines/text-units.ts';
import { HashIds } from './hash-ids.ts';
import { addNameHashes } from './names.ts';

/** The lines and names of blocks, as ids of their hashes. Each block is searched once, linear in its text. */
export class BlockHashes {
  readonly #ids = new HashIds();
  readonly #cache = new Map<ContentBlock, readonly number[]>();
  /** By id: the number of the last block that contains it, counted from 1. */
  #lastBlock: Int32Array = new Int32Array(0);

  /** All ids are below this. */
  get size(): number {
    return this.#ids.size;
  }

  idOf(hash: number): number {
    return this.#ids.of(hash);
  }

  /** Gives a block no ids, because no model sees its text. */
  hide(block: ContentBlock): void {
    this.#cache.set(block, []);
  }

  /** The ids of a block, each once. */
  of(block: ContentBlock): readonly number[] {
    const cached = this.#cache.get(block);
    if (cached !== undefined) return cached;
    const names: number[] = [];
    for (const text of blockTexts(block)) addNameHashes(textUnits(text), text.length, names);
    const ids: number[] = [];
    this.#addNew(blockLineHashes(block), ids);
    this.#addNew(names, ids);
    this.#cache.set(block, ids);
    return ids;
  }

  /** Adds the ids of these hashes of the next block to `ids`, without those that are in it already. */
  #addNew(hashes: readonly number[], ids: number[]): void {
    this.#lastBlock = grown(this.#lastBlock, this.#ids.size + hashes.length);
    const block = this.#cache.size + 1;
    for (let at = 0; at < hashes.length; at++) {
      const id = this.#ids.of(hashes[at]!);
      if (this.#lastBlock[id] === block) continue;
      this.#lastBlock[id] = block;
      ids.push(id);
    }
  }
}

/** `column` if it has at least `length` elements; otherwise a copy with twice that length, filled up with 0. */
function grown(column: Int32Array, length: number): Int32Array {
  if (column.length >= length) return column;
  const larger = new Int32Array(2 * length);
  larger.set(column);
  return larger;
}

/** Which lines and names the entries in a changing set contain, as ids of `BlockHashes`. */
export class VisibleHashes {
  readonly #hashes: BlockHashes;
  /** By id: in how many blocks it occurs. */
  #counts: Int32Array = new Int32Array(0);

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
