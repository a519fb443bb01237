import type { ContentBlock, IContent } from '../../content/content.ts';
import type { DensityResult, DensityResultMetadata } from '../contract.ts';

/**
 * What the phases have done so far to a history: each reads the blocks as earlier ones left them, while positions
 * stay those of the raw history (BR-CONFLICT-003). Untouched entries and blocks keep their identity.
 */
export class HistoryDraft {
  readonly history: readonly IContent[];
  readonly #touched: ((ContentBlock | undefined)[] | undefined)[];

  constructor(history: readonly IContent[]) {
    this.history = history;
    this.#touched = new Array(history.length);
  }

  /** The block at a position, `undefined` once it is removed. */
  blockAt(entry: number, block: number): ContentBlock | undefined {
    const touched = this.#touched[entry];
    return touched === undefined ? this.history[entry]!.blocks[block] : touched[block];
  }

  isRemoved(entry: number, block: number): boolean {
    const touched = this.#touched[entry];
    return touched !== undefined && touched[block] === undefined;
  }

  replaceBlock(entry: number, block: number, replacement: ContentBlock): void {
    this.#blocksOf(entry)[block] = replacement;
  }

  removeBlock(entry: number, block: number): void {
    this.#blocksOf(entry)[block] = undefined;
  }

  /** The edits: no index is both removed and replaced (REQ-HD-001.6); empty entries go (DESIGN section 4, row 10). */
  result(metadata: DensityResultMetadata): DensityResult {
    const removals: number[] = [];
    const replacements = new Map<number, IContent>();
    for (let entry = 0; entry < this.#touched.length; entry++) {
      const touched = this.#touched[entry];
      if (touched === undefined) continue;
      const blocks = touched.every((block) => block !== undefined)
        ? touched
        : touched.filter((block) => block !== undefined);
      if (blocks.every(isBlank)) removals.push(entry);
      else replacements.set(entry, { ...this.history[entry]!, blocks });
    }
    return { removals, replacements, metadata };
  }

  #blocksOf(entry: number): (ContentBlock | undefined)[] {
    const known = this.#touched[entry];
    if (known !== undefined) return known;
    const copy = this.history[entry]!.blocks.slice();
    this.#touched[entry] = copy;
    return copy;
  }
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && block.text.trim() === '';
}
