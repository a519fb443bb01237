import type { IContent } from '../../../content/content.ts';
import { ONLY_GROWS } from '../../contract.ts';

/** The entries of a history as it was seen last: a copy, or the caller's own list if that only grows. */
export class FollowedEntries {
  list: readonly IContent[] = [];
  #copy: IContent[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number of entries at the start of a history that are the same as last time. */
  sameIn(history: readonly IContent[]): number {
    const isSameList = history === this.list && ONLY_GROWS in history;
    return isSameList ? this.#length : sameFromStart(this.list, history, this.#length);
  }

  /** Forgets the entries from this one on. */
  cut(entry: number): void {
    this.#length = entry;
  }

  /** Makes `history` the entries; the first `same` of them are known. */
  follow(history: readonly IContent[], same: number): void {
    this.#length = history.length;
    if (ONLY_GROWS in history) {
      this.list = history;
      this.#copy = [];
      return;
    }
    if (this.list !== this.#copy) this.#copy = history.slice(0, same);
    this.#copy.length = same;
    for (let entry = same; entry < history.length; entry++) this.#copy.push(history[entry]!);
    this.list = this.#copy;
  }
}

/**
 * The number of entries, at most `most`, at the start of two histories that are the same objects. `Object.is` compares two objects without
 * looking into them, which `===` does: a cache miss for each entry.
 */
function sameFromStart(left: readonly IContent[], right: readonly IContent[], most: number): number {
  const end = Math.min(most, right.length);
  let same = 0;
  while (same < end && Object.is(left[same], right[same])) same++;
  return same;
}
