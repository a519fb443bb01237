import { blockTexts } from '../content/block-text.ts';
import type { IContent } from '../content/content.ts';
import { innerNames, nameHash } from './names.ts';
import type { SessionIndex } from './session-index.ts';

const textsOf = ({ blocks }: IContent): readonly string[] =>
  blocks.length === 1 ? blockTexts(blocks[0]!) : blocks.flatMap(blockTexts);

function holds(texts: readonly string[], text: string): boolean {
  for (let at = 0; at < texts.length; at++) if (texts[at]!.includes(text)) return true;
  return false;
}

/**
 * Where texts stand among the entries of a session: only those are looked at that have the names inside of a text, and
 * for a text without any each entry once.
 */
export class TextSearch {
  readonly #places: SessionIndex;
  /** Of each entry; made when it is first asked. */
  #texts: readonly (readonly string[])[] | undefined;
  readonly #madeTexts = new WeakMap<IContent, readonly string[]>();
  /** By text: a bit for each entry that does not hold it. */
  readonly #absent = new Map<string, Uint8Array>();

  constructor(places: SessionIndex) {
    this.#places = places;
  }

  /** Whether an entry that the session never had holds `text`, which has no line end. */
  standsIn(made: IContent, text: string): boolean {
    const known = this.#madeTexts.get(made);
    if (known !== undefined) return holds(known, text);
    const texts = textsOf(made);
    this.#madeTexts.set(made, texts);
    return holds(texts, text);
  }

  /** Whether one of the entries that are marked in `visible`, by their numbers, holds `text`, which has no line end. */
  stands(text: string, visible: Uint8Array): boolean {
    const { entries, hashes } = this.#places;
    this.#texts ??= entries.map(textsOf);
    const named = innerNames(text).map((name) => this.#places.entriesWith(hashes.idOf(nameHash(name))));
    if (named.length > 0) {
      const fewest = named.reduce((one, other) => (other.length < one.length ? other : one));
      return fewest.some((entry) => visible[entry] === 1 && holds(this.#texts![entry]!, text));
    }
    const absent = this.#absent.get(text) ?? new Uint8Array((entries.length >> 3) + 1);
    this.#absent.set(text, absent);
    return isHeld(text, { texts: this.#texts, visible, absent });
  }
}

/** Whether a visible entry holds `text`, the newest looked at first; those that do not are added to `absent`. */
function isHeld(text: string, { texts, visible, absent }: Search): boolean {
  for (let entry = texts.length - 1; entry >= 0; entry--) {
    const bit = 1 << (entry & 7);
    if (visible[entry] === 0 || (absent[entry >> 3]! & bit) !== 0) continue;
    if (holds(texts[entry]!, text)) return true;
    absent[entry >> 3]! |= bit;
  }
  return false;
}

interface Search {
  readonly texts: readonly (readonly string[])[];
  readonly visible: Uint8Array;
  readonly absent: Uint8Array;
}
