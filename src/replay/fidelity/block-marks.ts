import { blockTexts } from '../../content/block-text.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { addLineMarks } from '../../content/line-marks.ts';
import { addNameMarks } from './names.ts';

/** The marks of the lines and names of blocks, each block looked at once. Linear in text that was not asked for before. */
export class BlockMarks {
  readonly #known = new WeakMap<ContentBlock, Int32Array>();

  of(block: ContentBlock): Int32Array {
    const kept = this.#known.get(block);
    if (kept !== undefined) return kept;
    const marks: number[] = [];
    for (const text of blockTexts(block)) {
      addLineMarks(text, marks);
      addNameMarks(text, marks);
    }
    const distinct = new Set(marks);
    const column = new Int32Array(distinct.size);
    let at = 0;
    for (const mark of distinct) column[at++] = mark;
    this.#known.set(block, column);
    return column;
  }
}

/** The marks of blocks that are among those asked for, each block looked at once. */
export class WantedMarks {
  readonly #marks: BlockMarks;
  readonly #wanted: ReadonlySet<number>;
  readonly #known = new WeakMap<ContentBlock, Int32Array>();

  constructor(marks: BlockMarks, wanted: ReadonlySet<number>) {
    this.#marks = marks;
    this.#wanted = wanted;
  }

  of(block: ContentBlock): Int32Array {
    const kept = this.#known.get(block);
    if (kept !== undefined) return kept;
    const column = this.#marks.of(block).filter((mark) => this.#wanted.has(mark));
    this.#known.set(block, column);
    return column;
  }
}

/** What a model sees, as marks of lines and names, while entries come and go. */
export class VisibleMarks {
  readonly #marks: Pick<BlockMarks, 'of'>;
  readonly #counts = new Map<number, number>();

  constructor(marks: Pick<BlockMarks, 'of'>) {
    this.#marks = marks;
  }

  has(mark: number): boolean {
    return (this.#counts.get(mark) ?? 0) > 0;
  }

  add({ blocks }: IContent): void {
    for (const block of blocks) {
      for (const mark of this.#marks.of(block)) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1);
    }
  }

  remove({ blocks }: IContent): void {
    for (const block of blocks) {
      for (const mark of this.#marks.of(block)) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) - 1);
    }
  }
}
