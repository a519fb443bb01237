import { blockLineMarks } from '../content/block-lines.ts';
import { blockTexts } from '../content/block-text.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { textUnits } from '../content/text-units.ts';
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
    const names: number[] = [];
    for (const text of blockTexts(block)) addNameMarks(textUnits(text), text.length, names);
    const numbers: number[] = [];
    this.#addNew(blockLineMarks(block), numbers);
    this.#addNew(names, numbers);
    this.#known.set(block, numbers);
    return numbers;
  }

  /** Adds to `numbers` those of these marks that the block, the next to be known, has not brought yet. */
  #addNew(marks: readonly number[], numbers: number[]): void {
    this.#metIn = grown(this.#metIn, this.#numbers.size + marks.length);
    const place = this.#known.size + 1;
    for (let at = 0; at < marks.length; at++) {
      const number = this.#numbers.of(marks[at]!);
      if (this.#metIn[number] === place) continue;
      this.#metIn[number] = place;
      numbers.push(number);
    }
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
