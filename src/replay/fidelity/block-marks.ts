import { blockTexts } from '../../content/block-text.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { addLineMarks } from '../../content/line-marks.ts';
import { textUnits } from '../../content/text-units.ts';
import { MarkNumbers } from './mark-numbers.ts';
import { addNameMarks } from './names.ts';

/** The numbers of the lines and names of blocks, each block looked at once. Linear in text that was not asked for before. */
export class BlockMarks {
  readonly #numbers = new MarkNumbers();
  readonly #known = new Map<ContentBlock, readonly number[]>();
  /** By number: the block, by its place among those looked at, that it was met in last. */
  #metIn = new Int32Array(0);

  /** All numbers are below this. */
  get size(): number {
    return this.#numbers.size;
  }

  numberOf(mark: number): number {
    return this.#numbers.of(mark);
  }

  /** Each number once. */
  of(block: ContentBlock): readonly number[] {
    const kept = this.#known.get(block);
    if (kept !== undefined) return kept;
    const marks: number[] = [];
    for (const text of blockTexts(block)) {
      const units = textUnits(text);
      addLineMarks(units, text.length, marks);
      addNameMarks(units, text.length, marks);
    }
    const distinct = this.#distinct(marks);
    this.#known.set(block, distinct);
    return distinct;
  }

  #distinct(marks: readonly number[]): readonly number[] {
    this.#metIn = grown(this.#metIn, this.#numbers.size + marks.length);
    const place = this.#known.size + 1;
    const distinct: number[] = [];
    for (let at = 0; at < marks.length; at++) {
      const number = this.#numbers.of(marks[at]!);
      if (this.#metIn[number] === place) continue;
      this.#metIn[number] = place;
      distinct.push(number);
    }
    return distinct;
  }
}

/** What a model sees, as numbers of lines and names, while entries come and go. */
export class VisibleMarks {
  readonly #marks: BlockMarks;
  #counts = new Int32Array(0);

  constructor(marks: BlockMarks) {
    this.#marks = marks;
  }

  has(number: number): boolean {
    return number < this.#counts.length && this.#counts[number]! > 0;
  }

  add(entry: IContent): void {
    this.#count(entry, 1);
  }

  remove(entry: IContent): void {
    this.#count(entry, -1);
  }

  #count({ blocks }: IContent, by: number): void {
    for (const block of blocks) {
      const numbers = this.#marks.of(block);
      this.#counts = grown(this.#counts, this.#marks.size);
      const counts = this.#counts;
      for (let at = 0; at < numbers.length; at++) counts[numbers[at]!]! += by;
    }
  }
}

/** `column`, or a copy with room for at least `length`. */
function grown(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (column.length >= length) return column;
  const larger = new Int32Array(2 * length);
  larger.set(column);
  return larger;
}
