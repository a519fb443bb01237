import type { ContentBlock, IContent } from '../../content/content.ts';
import type { DensityResult, DensityResultMetadata } from '../contract.ts';

/**
 * What the phases have done so far to a history: each reads the blocks as earlier ones left them, while positions
 * stay those of the raw history (BR-CONFLICT-003). Untouched entries and blocks keep their identity.
 */
export class HistoryDraft {
  readonly history: readonly IContent[];
  readonly #touched = new Map<number, (ContentBlock | undefined)[]>();

  constructor(history: readonly IContent[]) {
    this.history = history;
  }

  /** The block at a position, `undefined` once it is removed. */
  blockAt(entry: number, block: number): ContentBlock | undefined {
    const touched = this.#touched.get(entry);
    return touched === undefined ? this.history[entry]!.blocks[block] : touched[block];
  }

  replaceBlock(entry: number, block: number, replacement: ContentBlock): void {
    this.#blocksOf(entry)[block] = replacement;
  }

  removeBlock(entry: number, block: number): void {
    this.#blocksOf(entry)[block] = undefined;
  }

  /** The entries that changed, by index; `undefined` where nothing but blank text is left (DESIGN section 4, row 10). */
  *changes(): Generator<[index: number, content: IContent | undefined]> {
    for (const [index, touched] of this.#touched) {
      const blocks = touched.filter((block) => block !== undefined);
      const isEmpty = blocks.every((block) => block.type === 'text' && block.text.trim() === '');
      yield [index, isEmpty ? undefined : { ...this.history[index]!, blocks }];
    }
  }

  /** The edits as a result: no index is both removed and replaced (REQ-HD-001.6). */
  result(metadata: DensityResultMetadata): DensityResult {
    const removals: number[] = [];
    const replacements = new Map<number, IContent>();
    for (const [index, content] of this.changes()) {
      if (content === undefined) removals.push(index);
      else replacements.set(index, content);
    }
    removals.sort((left, right) => left - right);
    return { removals, replacements, metadata };
  }

  #blocksOf(entry: number): (ContentBlock | undefined)[] {
    const touched = this.#touched.get(entry) ?? [...this.history[entry]!.blocks];
    this.#touched.set(entry, touched);
    return touched;
  }
}
