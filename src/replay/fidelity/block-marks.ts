import { blockTexts } from '../../content/block-text.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { comparableLines, lineMark } from '../../content/line-marks.ts';

/** Paths, and names of ten characters or more that no sentence has: with a capital or an underscore inside. */
const NAMES = /[\w.-]*(?:\/[\w.-]+)+|[A-Za-z_]*[a-z\d_][A-Z_][\w]*/g;
const LEAST_NAME_CHARS = 10;

/** The names and paths in a text, each once. */
export function namesIn(text: string): string[] {
  const names = text.match(NAMES);
  return names === null ? [] : [...new Set(names.filter((name) => name.length >= LEAST_NAME_CHARS))];
}

/** The mark of a name; no line has the same. */
export const nameMark = (name: string): number => lineMark(`\u0001${name}`);

/** The marks of the lines and names of blocks, each block looked at once. Linear in text that was not asked for before. */
export class BlockMarks {
  readonly #known = new WeakMap<ContentBlock, Int32Array>();

  of(block: ContentBlock): Int32Array {
    const kept = this.#known.get(block);
    if (kept !== undefined) return kept;
    const marks = new Set<number>();
    for (const text of blockTexts(block)) {
      for (const line of comparableLines(text)) marks.add(lineMark(line));
      for (const name of namesIn(text)) marks.add(nameMark(name));
    }
    const column = Int32Array.from(marks);
    this.#known.set(block, column);
    return column;
  }
}

/** What a model sees, as marks of lines and names, while entries come and go. */
export class VisibleMarks {
  readonly #marks: BlockMarks;
  readonly #counts = new Map<number, number>();

  constructor(marks: BlockMarks) {
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

  /** Goes from one list of entries to another; entries in both cost nothing but a look. */
  move(before: readonly IContent[], after: readonly IContent[]): void {
    const [had, has] = [new Set(before), new Set(after)];
    for (const entry of before) if (!has.has(entry)) this.remove(entry);
    for (const entry of after) if (!had.has(entry)) this.add(entry);
  }
}
