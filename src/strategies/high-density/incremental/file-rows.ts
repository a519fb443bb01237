import { addTo } from '../../../content/group-by.ts';
import { type CallFiles, filesTouched } from './call-files.ts';

/** The rows of the calls on each file, so that a question about one does not cost all calls. */
export class FileRows {
  readonly #rows = new Map<number, number[]>();
  #known = 0;

  /** The rows of calls that touch one of these files, the latest first. Linear in these, and in the calls that are new. */
  on(files: readonly number[], calls: readonly CallFiles[]): number[] {
    for (; this.#known < calls.length; this.#known++) {
      const touched = filesTouched(calls[this.#known]!);
      // A set for each call would be most of the work.
      for (const file of touched.length > 1 ? new Set(touched) : touched) addTo(this.#rows, file, this.#known);
    }
    const [first, ...others] = files.map((file) => this.#rows.get(file) ?? []);
    if (others.length === 0) return first?.toReversed() ?? [];
    // Numbers without a comparison function: the first run asks for all files.
    return [
      ...Uint32Array.from(new Set([first ?? [], ...others].flat()))
        .sort()
        .reverse(),
    ];
  }

  /** Call it when rows from `left` on are removed. */
  cut(left: number): void {
    if (left >= this.#known) return;
    this.#rows.clear();
    this.#known = 0;
  }
}
