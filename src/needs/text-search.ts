import { blockTexts } from '../content/block-text.ts';
import type { IContent } from '../content/content.ts';
import { innerNames, nameHash } from './names.ts';
import type { SessionIndex } from './session-index.ts';

const textsOf = ({ blocks }: IContent): readonly string[] =>
  blocks.length === 1 ? blockTexts(blocks[0]!) : blocks.flatMap(blockTexts);

function someContain(texts: readonly string[], text: string): boolean {
  for (let at = 0; at < texts.length; at++) if (texts[at]!.includes(text)) return true;
  return false;
}

/**
 * Finds text, without line ends, in entries. Only entries with the names in a text are searched for it. For a text without names, each entry is searched once.
 */
export class TextSearch {
  readonly #index: SessionIndex;
  /** By number of an entry; made by the first search. */
  #texts: readonly (readonly string[])[] | undefined;
  readonly #madeTexts = new WeakMap<IContent, readonly string[]>();
  /** By text: a bit for each entry that does not contain it. */
  readonly #absent = new Map<string, Uint8Array>();

  constructor(index: SessionIndex) {
    this.#index = index;
  }

  /** True if an entry that the session never had contains `text`. */
  contains(made: IContent, text: string): boolean {
    const cached = this.#madeTexts.get(made);
    if (cached !== undefined) return someContain(cached, text);
    const texts = textsOf(made);
    this.#madeTexts.set(made, texts);
    return someContain(texts, text);
  }

  /** True if an entry with a 1 in `visible`, at its number, contains `text`. */
  isVisible(text: string, visible: Uint8Array): boolean {
    const { entries, hashes } = this.#index;
    this.#texts ??= entries.map(textsOf);
    const named = innerNames(text).map((name) => this.#index.entriesWith(hashes.idOf(nameHash(name))));
    if (named.length > 0) {
      const fewest = named.reduce((one, other) => (other.length < one.length ? other : one));
      return fewest.some((entry) => visible[entry] === 1 && someContain(this.#texts![entry]!, text));
    }
    const absent = this.#absent.get(text) ?? new Uint8Array((entries.length >> 3) + 1);
    this.#absent.set(text, absent);
    return isInVisible(text, { texts: this.#texts, visible, absent });
  }
}

/** True if a visible entry contains `text`, from the newest on; adds searched entries without it to `absent`. */
function isInVisible(text: string, { texts, visible, absent }: Search): boolean {
  for (let entry = texts.length - 1; entry >= 0; entry--) {
    const bit = 1 << (entry & 7);
    if (visible[entry] === 0 || (absent[entry >> 3]! & bit) !== 0) continue;
    if (someContain(texts[entry]!, text)) return true;
    absent[entry >> 3]! |= bit;
  }
  return false;
}

interface Search {
  readonly texts: readonly (readonly string[])[];
  readonly visible: Uint8Array;
  readonly absent: Uint8Array;
}
