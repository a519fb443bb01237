import type { ContentBlock, IContent } from '../../content/content.ts';
import type { DensityEdit, DensityResult } from '../contract.ts';
import { countEdits } from '../reasons/edit-counts.ts';
import type { EditReason } from '../reasons/edit-reason.ts';
import { changedEntry, isBlank } from './rules/changed-entry.ts';
import type { Draft } from './rules/rule.ts';

const PAGE_BITS = 4;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** Neighbouring entries. */
interface Page {
  /** The current blocks of each entry, `undefined` for a removed block; nothing for an unchanged entry. */
  readonly blocks: ((ContentBlock | undefined)[] | undefined)[];
  /** The last edit of each entry. */
  readonly edits: (DensityEdit | undefined)[];
}

/**
 * A history with the edits of the phases so far. Each phase reads the blocks after the earlier phases, at positions of the
 * raw history (BR-CONFLICT-003). Unedited entries and blocks keep their identity.
 */
export class HistoryDraft implements Draft<EditReason> {
  readonly history: readonly IContent[];
  /** In pages: the first run edits very many entries, and most later runs few. */
  readonly #pages: (Page | undefined)[];
  /** By edit: the previous one of the same entry, which most entries have not. */
  readonly #editBefore = new Map<DensityEdit, DensityEdit>();

  constructor(history: readonly IContent[]) {
    this.history = history;
    this.#pages = new Array(Math.ceil(history.length / (PAGE_MASK + 1)));
  }

  blockAt(entry: number, block: number): ContentBlock | undefined {
    const blocks = this.#pages[entry >> PAGE_BITS]?.blocks[entry & PAGE_MASK];
    return blocks === undefined ? this.history[entry]!.blocks[block] : blocks[block];
  }

  isRemoved(entry: number, block: number): boolean {
    const blocks = this.#pages[entry >> PAGE_BITS]?.blocks[entry & PAGE_MASK];
    return blocks !== undefined && blocks[block] === undefined;
  }

  replaceBlock(entry: number, block: number, { by, reason }: { by: ContentBlock; reason: EditReason }): void {
    this.#edit({ entry, block, kind: 'replace', reason })[block] = by;
  }

  removeBlock(entry: number, block: number, reason: EditReason): void {
    this.#edit({ entry, block, kind: 'remove', reason })[block] = undefined;
  }

  /** The edits: no index is both removed and replaced (REQ-HD-001.6); empty entries are removed (docs/readings.md, row 10). */
  result(): DensityResult {
    const removals: number[] = [];
    const replacements = new Map<number, IContent>();
    const edits: DensityEdit[] = [];
    for (let page = 0; page < this.#pages.length; page++) {
      const edited = this.#pages[page];
      if (edited === undefined) continue;
      for (let at = 0; at <= PAGE_MASK; at++) {
        const left = edited.blocks[at];
        if (left === undefined) continue;
        const entry = (page << PAGE_BITS) + at;
        const blocks = left.includes(undefined)
          ? left.filter((block) => block !== undefined)
          : (left as ContentBlock[]);
        if (blocks.every(isBlank)) {
          removals.push(entry);
          this.#removeRest(entry, left);
        } else replacements.set(entry, changedEntry(this.history[entry]!, blocks));
        this.#addEditsOf(entry, edits);
      }
    }
    return { removals, replacements, metadata: countEdits(edits), edits };
  }

  /** Adds an edit; returns the current blocks of its entry. */
  #edit(edit: DensityEdit): (ContentBlock | undefined)[] {
    const { entry } = edit;
    const at = entry & PAGE_MASK;
    this.#pages[entry >> PAGE_BITS] ??= { blocks: new Array(PAGE_MASK + 1), edits: new Array(PAGE_MASK + 1) };
    const { blocks, edits } = this.#pages[entry >> PAGE_BITS]!;
    if (edits[at] !== undefined) this.#editBefore.set(edit, edits[at]);
    edits[at] = edit;
    blocks[at] ??= this.history[entry]!.blocks.slice();
    return blocks[at];
  }

  /** Removes blank text if nothing else is left of an entry, with the reason of its first edited block. */
  #removeRest(entry: number, blocks: readonly (ContentBlock | undefined)[]): void {
    const own: DensityEdit[] = [];
    for (let block = 0; block < blocks.length; block++) {
      if (blocks[block] === undefined) continue;
      if (own.length === 0) this.#addEditsOf(entry, own);
      this.#edit({ entry, block, kind: 'remove', reason: own[0]!.reason });
    }
  }

  /** Adds the edits of an entry by block; those of one block oldest first. */
  #addEditsOf(entry: number, edits: DensityEdit[]): void {
    const last = this.#pages[entry >> PAGE_BITS]!.edits[entry & PAGE_MASK]!;
    if (!this.#editBefore.has(last)) {
      edits.push(last);
      return;
    }
    const own: DensityEdit[] = [];
    for (let edit: DensityEdit | undefined = last; edit; edit = this.#editBefore.get(edit)) own.push(edit);
    for (const edit of own.reverse().sort((one, other) => one.block - other.block)) edits.push(edit);
  }
}
