import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';

/** Whether a text without line ends stands in an entry, as it is written. */
export const holdsText = (entry: IContent, text: string): boolean => holds(textsOf(entry), text);

const textsOf = ({ blocks }: IContent): readonly string[] =>
  blocks.length === 1 ? blockTexts(blocks[0]!) : blocks.flatMap(blockTexts);

function holds(texts: readonly string[], text: string): boolean {
  for (const other of texts) if (other.length >= text.length && other.includes(text)) return true;
  return false;
}

/** Where texts stand among the entries of a session: each entry is looked at once for each text that it does not hold. */
export class TextPlaces {
  readonly #entries: readonly IContent[];
  readonly #texts: (readonly string[])[] = [];
  /** By text: a bit for each entry that does not hold it. */
  readonly #absent = new Map<string, Uint8Array>();

  constructor(entries: readonly IContent[]) {
    this.#entries = entries;
  }

  /**
   * Whether one of the entries that are marked in `visible`, by their numbers, holds `text`, which has no line end; the
   * newest are looked at first.
   */
  stands(text: string, visible: Uint8Array): boolean {
    const absent = this.#absent.get(text) ?? new Uint8Array((this.#entries.length >> 3) + 1);
    this.#absent.set(text, absent);
    for (let entry = visible.length - 1; entry >= 0; entry--) {
      if (visible[entry] === 0 || absent[entry >> 3]! & (1 << (entry & 7))) continue;
      if (this.#holds(entry, text)) return true;
      absent[entry >> 3]! |= 1 << (entry & 7);
    }
    return false;
  }

  #holds(entry: number, text: string): boolean {
    this.#texts[entry] ??= textsOf(this.#entries[entry]!);
    return holds(this.#texts[entry], text);
  }
}
