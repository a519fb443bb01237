import type { ContentBlock, IContent } from '../../content/content.ts';
import type { DensityEdit, DensityResult } from '../contract.ts';
import { countEdits } from '../edit-counts.ts';
import type { EditReason } from '../edit-reason.ts';

const PAGE_BITS = 4;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** The blocks of an entry as they are now, `undefined` for a removed one, and what was done to them. */
interface EditedEntry {
  readonly blocks: (ContentBlock | undefined)[];
  readonly edits: DensityEdit[];
}

/** Neighbouring entries, `undefined` for one that is as it was. */
type Page = (EditedEntry | undefined)[];

/**
 * What the phases have done so far to a history: each reads the blocks as earlier ones left them, while positions
 * stay those of the raw history (BR-CONFLICT-003). Untouched entries and blocks keep their identity.
 */
export class HistoryDraft {
  readonly history: readonly IContent[];
  /** In pages: most runs edit few entries of a long history, the first one very many. */
  readonly #pages: (Page | undefined)[];

  constructor(history: readonly IContent[]) {
    this.history = history;
    this.#pages = new Array(Math.ceil(history.length / (PAGE_MASK + 1)));
  }

  /** The block at a position, `undefined` once it is removed. */
  blockAt(entry: number, block: number): ContentBlock | undefined {
    const edited = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    return edited === undefined ? this.history[entry]!.blocks[block] : edited.blocks[block];
  }

  isRemoved(entry: number, block: number): boolean {
    const edited = this.#pages[entry >> PAGE_BITS]?.[entry & PAGE_MASK];
    return edited !== undefined && edited.blocks[block] === undefined;
  }

  replaceBlock(entry: number, block: number, { by, reason }: { by: ContentBlock; reason: EditReason }): void {
    this.#edit({ entry, block, kind: 'replace', reason }).blocks[block] = by;
  }

  removeBlock(entry: number, block: number, reason: EditReason): void {
    this.#edit({ entry, block, kind: 'remove', reason }).blocks[block] = undefined;
  }

  /** The edits: no index is both removed and replaced (REQ-HD-001.6); empty entries are removed (docs/readings.md, row 10). */
  result(): DensityResult {
    const removals: number[] = [];
    const replacements = new Map<number, IContent>();
    const edits: DensityEdit[] = [];
    for (let page = 0; page < this.#pages.length; page++) {
      const editedEntries = this.#pages[page];
      if (editedEntries === undefined) continue;
      for (let at = 0; at <= PAGE_MASK; at++) {
        const edited = editedEntries[at];
        if (edited === undefined) continue;
        const entry = (page << PAGE_BITS) + at;
        const blocks = edited.blocks.filter((block) => block !== undefined);
        inOrder(edited.edits);
        if (blocks.every(isBlank)) {
          removals.push(entry);
          removeRest(entry, edited);
        } else replacements.set(entry, { ...this.history[entry]!, blocks });
        for (const edit of edited.edits) edits.push(edit);
      }
    }
    return { removals, replacements, metadata: countEdits(edits), edits };
  }

  #edit(edit: DensityEdit): EditedEntry {
    this.#pages[edit.entry >> PAGE_BITS] ??= new Array(PAGE_MASK + 1);
    const page = this.#pages[edit.entry >> PAGE_BITS]!;
    page[edit.entry & PAGE_MASK] ??= { blocks: this.history[edit.entry]!.blocks.slice(), edits: [] };
    const edited = page[edit.entry & PAGE_MASK]!;
    edited.edits.push(edit);
    return edited;
  }
}

/** By block; several edits of one block stay in the order in which they were made. */
function inOrder(edits: DensityEdit[]): void {
  if (edits.length > 1) edits.sort((one, other) => one.block - other.block);
}

/** Blank text that would be all that is left of an entry is removed for the reason of the first edit to it. */
function removeRest(entry: number, { blocks, edits }: EditedEntry): void {
  const { reason } = edits[0]!;
  for (const [block, item] of blocks.entries()) {
    if (item !== undefined) edits.push({ entry, block, kind: 'remove', reason });
  }
  inOrder(edits);
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && block.text.trim() === '';
}
