import { append } from '../content/append.ts';
import { blockTexts } from '../content/block-text.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { comparableLine } from '../content/lines/comparable-line.ts';
import { lineHash } from '../content/lines/line-hash.ts';
import type { NeededText } from './need.ts';
import type { SessionIndex } from './session-index.ts';

/** At most this many lines that contain a part are returned. */
const MAX_LINES = 8;

/** The text that the model of a session sees at one moment. */
export class VisibleText {
  readonly #index: SessionIndex;
  readonly #visible: Uint8Array;
  #entries: IContent[] = [];

  constructor(index: SessionIndex) {
    this.#index = index;
    this.#visible = new Uint8Array(index.entries.length);
  }

  clear(): void {
    this.#visible.fill(0);
    this.#entries = [];
  }

  add(entry: IContent): void {
    this.#entries.push(entry);
    this.#visible[this.#index.orderOf(entry)!] = 1;
  }

  /** The ids of the lines and names of any block of the session. */
  idsOf(block: ContentBlock): readonly number[] {
    return this.#index.hashes.of(block);
  }

  /** True if a line or name of this block is visible in an entry. */
  sharesTextWith(block: ContentBlock): boolean {
    return this.idsOf(block).some((id) => this.#has(id));
  }

  /** The texts that are visible; `hashOf` is the hash of a whole line or of a name. */
  found(texts: Iterable<string>, hashOf: (text: string) => number): NeededText[] {
    const found: NeededText[] = [];
    for (const text of texts) {
      const id = this.#index.hashes.idOf(hashOf(text));
      if (this.#has(id)) found.push({ text, ids: [id] });
    }
    return found;
  }

  /** The ids of visible lines that contain `part`, the newest first. Linear in the visible text. */
  linesWith(part: string): number[] {
    const ids = new Set<number>();
    for (let entry = this.#entries.length - 1; entry >= 0 && ids.size < MAX_LINES; entry--) {
      const seen = this.#entries[entry]!.blocks.filter((block) => this.idsOf(block).length > 0);
      for (const text of seen.flatMap(blockTexts)) {
        for (let at = text.indexOf(part); at !== -1 && ids.size < MAX_LINES; ) {
          const end = text.indexOf('\n', at);
          const line = comparableLine(text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? text.length : end));
          if (line !== '') ids.add(this.#index.hashes.idOf(lineHash(line)));
          at = end === -1 ? -1 : text.indexOf(part, end);
        }
      }
    }
    return [...ids];
  }

  #has(id: number): boolean {
    return this.#index.isVisible(id, this.#visible);
  }
}

/** The lines of all texts that an edit replaces; `undefined` if one of these lines is not visible. */
export function editedLines(before: readonly string[], visible: VisibleText): NeededText[] | undefined {
  const found: NeededText[] = [];
  for (const text of before) {
    const lines = linesOf(text, visible);
    if (lines === undefined) return undefined;
    append(found, lines);
  }
  return found;
}

function linesOf(text: string, visible: VisibleText): NeededText[] | undefined {
  const lines = text.split('\n');
  const found: NeededText[] = [];
  for (const [at, line] of lines.entries()) {
    const comparable = comparableLine(line);
    if (comparable === '') continue;
    const [whole] = visible.found([comparable], lineHash);
    if (whole !== undefined) {
      found.push(whole);
      continue;
    }
    // Only the first and the last line of a replaced text can be a part of a line.
    const isPart = at === 0 || at === lines.length - 1;
    const ids = isPart ? visible.linesWith(line.trim()) : [];
    if (ids.length === 0) return undefined;
    found.push({ text: line.trim(), ids });
  }
  return found;
}
