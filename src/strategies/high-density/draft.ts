import type { ContentBlock, IContent } from '../../content/content.ts';
import type { DensityResult, DensityResultMetadata } from '../contract.ts';

const PAGE_BITS = 4;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** The blocks of neighbouring entries as they are now, a hole for an entry that nobody touched. */
type Page = (ContentBlock | undefined)[][];

/**
 * What the phases have done so far to a history: each reads the blocks as earlier ones left them, while positions
 * stay those of the raw history (BR-CONFLICT-003). Untouched entries and blocks keep their identity.
 */
export class HistoryDraft {
  readonly history: readonly IContent[];
  /** The blocks of touched entries, in pages: most runs touch few entries of a long history, the first one very many. */
  readonly #pages: (Page | undefined)[];

  constructor(history: readonly IContent[]) {
    this.history = history;
    this.#pages = new Array(Math.ceil(history.length / (PAGE_MASK + 1)));
  }

  /** The block at a position, `undefined` once it is removed. */
  blockAt(entry: number, block: number): ContentBlock | undefined {
    const touched = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    return touched === undefined ? this.history[entry]!.blocks[block] : touched[block];
  }

  isRemoved(entry: number, block: number): boolean {
    const touched = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    return touched !== undefined && touched[block] === undefined;
  }

  replaceBlock(entry: number, block: number, replacement: ContentBlock): void {
    this.#blocksOf(entry)[block] = replacement;
  }

  removeBlock(entry: number, block: number): void {
    this.#blocksOf(entry)[block] = undefined;
  }

  /** The edits: no index is both removed and replaced (REQ-HD-001.6); empty entries go (docs/readings.md, row 10). */
  result(metadata: DensityResultMetadata): DensityResult {
    const removals: number[] = [];
    const replacements = new Map<number, IContent>();
    for (let page = 0; page < this.#pages.length; page++) {
      const touchedEntries = this.#pages[page];
      if (touchedEntries === undefined) continue;
      for (let at = 0; at <= PAGE_MASK; at++) {
        const touched = touchedEntries[at];
        if (touched === undefined) continue;
        const entry = (page << PAGE_BITS) + at;
        const blocks = touched.every((block) => block !== undefined)
          ? touched
          : touched.filter((block) => block !== undefined);
        if (blocks.every(isBlank)) removals.push(entry);
        else replacements.set(entry, { ...this.history[entry]!, blocks });
      }
    }
    return { removals, replacements, metadata };
  }

  #blocksOf(entry: number): (ContentBlock | undefined)[] {
    const known = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    if (known !== undefined) return known;
    const copy = this.history[entry]!.blocks.slice();
    this.#pages[entry >> PAGE_BITS] ??= new Array(PAGE_MASK + 1);
    this.#pages[entry >> PAGE_BITS]![entry & PAGE_MASK] = copy;
    return copy;
  }
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && block.text.trim() === '';
}
