import type { ContentBlock, IContent } from '../../content/content.ts';
import type { DensityEdit, DensityResult } from '../contract.ts';
import { countEdits } from '../edit-counts.ts';
import type { EditReason } from '../edit-reason.ts';

const PAGE_BITS = 4;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** The current blocks of neighbouring entries, `undefined` for a removed block; nothing for an unchanged entry. */
type Page = ((ContentBlock | undefined)[] | undefined)[];

/**
 * A history with the edits of the phases so far. Each phase reads the blocks after the earlier phases, at positions of the
 * raw history (BR-CONFLICT-003). Unedited entries and blocks keep their identity.
 */
export class HistoryDraft {
  readonly history: readonly IContent[];
  /** In pages: the first run edits very many entries, and most later runs few. */
  readonly #pages: (Page | undefined)[];
  /** Edits, oldest first. Then the number of the last edit by entry, from 1, and of the previous one by edit. */
  readonly #edits: DensityEdit[] = [];
  readonly #lastEdit: Int32Array;
  readonly #editBefore: number[] = [];

  constructor(history: readonly IContent[]) {
    this.history = history;
    this.#pages = new Array(Math.ceil(history.length / (PAGE_MASK + 1)));
    this.#lastEdit = new Int32Array(history.length);
  }

  /** The block at a position, `undefined` once it is removed. */
  blockAt(entry: number, block: number): ContentBlock | undefined {
    const blocks = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    return blocks === undefined ? this.history[entry]!.blocks[block] : blocks[block];
  }

  isRemoved(entry: number, block: number): boolean {
    const blocks = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    return blocks !== undefined && blocks[block] === undefined;
  }

  replaceBlock(entry: number, block: number, { by, reason }: { by: ContentBlock; reason: EditReason }): void {
    this.#edit({ entry, block, kind: 'replace', reason });
    this.#blocksOf(entry)[block] = by;
  }

  removeBlock(entry: number, block: number, reason: EditReason): void {
    this.#edit({ entry, block, kind: 'remove', reason });
    this.#blocksOf(entry)[block] = undefined;
  }

  /** The edits: no index is both removed and replaced (REQ-HD-001.6); empty entries are removed (docs/readings.md, row 10). */
  result(): DensityResult {
    const removals: number[] = [];
    const replacements = new Map<number, IContent>();
    const edits: DensityEdit[] = [];
    for (let entry = 0; entry < this.history.length; entry++) {
      if (this.#lastEdit[entry] === 0) continue;
      const edited = this.#blocksOf(entry);
      const blocks = edited.includes(undefined)
        ? edited.filter((block) => block !== undefined)
        : (edited as ContentBlock[]);
      if (blocks.every(isBlank)) {
        removals.push(entry);
        this.#removeRest(entry, edited);
      } else replacements.set(entry, { ...this.history[entry]!, blocks });
      this.#addEditsOf(entry, edits);
    }
    return { removals, replacements, metadata: countEdits(edits), edits };
  }

  #edit(edit: DensityEdit): void {
    this.#editBefore.push(this.#lastEdit[edit.entry]!);
    this.#lastEdit[edit.entry] = this.#edits.push(edit);
  }

  #blocksOf(entry: number): (ContentBlock | undefined)[] {
    this.#pages[entry >> PAGE_BITS] ??= new Array(PAGE_MASK + 1);
    const page = this.#pages[entry >> PAGE_BITS]!;
    page[entry & PAGE_MASK] ??= this.history[entry]!.blocks.slice();
    return page[entry & PAGE_MASK]!;
  }

  /** Removes blank text if nothing else is left of an entry, with the reason of its first edited block. */
  #removeRest(entry: number, blocks: readonly (ContentBlock | undefined)[]): void {
    const own: DensityEdit[] = [];
    for (const [block, item] of blocks.entries()) {
      if (item === undefined) continue;
      if (own.length === 0) this.#addEditsOf(entry, own);
      this.#edit({ entry, block, kind: 'remove', reason: own[0]!.reason });
    }
  }

  /** Adds the edits of an entry by block; those of one block oldest first. */
  #addEditsOf(entry: number, edits: DensityEdit[]): void {
    const last = this.#lastEdit[entry]!;
    if (this.#editBefore[last - 1] === 0) {
      edits.push(this.#edits[last - 1]!);
      return;
    }
    const own: DensityEdit[] = [];
    for (let at = last; at !== 0; at = this.#editBefore[at - 1]!) own.push(this.#edits[at - 1]!);
    for (const edit of own.reverse().sort((one, other) => one.block - other.block)) edits.push(edit);
  }
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && block.text.trim() === '';
}
