import { addTo } from '../../../content/group-by.ts';
import { isLonger, MAX_PLACES, type Repeat } from './line-index.ts';
import type { ShownText } from './shown-text.ts';
import { sameLines, type TextLines } from './text-lines.ts';

/** A new result; some of its lines are kept. */
interface KeptText {
  readonly shown: ShownText;
  /** By line: true if it is kept so far. */
  readonly isKept: boolean[];
}

/** The lines of new results that are kept, to be named further down in the same result, or by the results after it. */
export class KeptLines {
  readonly #places = new Map<number, { readonly text: KeptText; readonly line: number }[]>();
  #current: KeptText | undefined;

  /** Continues with the next result. */
  start(shown: ShownText): void {
    this.#current = { shown, isKept: [] };
  }

  /** Keeps a line of the current result. */
  keep(line: number): void {
    const text = this.#current!;
    text.isKept[line] = true;
    const { lines } = text.shown;
    if (lines.isLandmark(line)) addTo(this.#places, lines.hashOf(line), { text, line });
  }

  /** The longest run of kept lines that the current result has again from this line on. */
  longestFrom(lines: TextLines, first: number): Repeat | undefined {
    const places = this.#places.get(lines.hashOf(first)) ?? [];
    if (places.length > MAX_PLACES) return undefined;
    let best: Repeat | undefined;
    for (const { text, line: from } of places) {
      const same = sameLines(lines, first, { lines: text.shown.lines, from });
      let count = 0;
      while (count < same && text.isKept[from + count]) count++;
      const repeat = { first, last: first + count - 1, source: text.shown, from };
      if (count > 0 && (best === undefined || isLonger(repeat, best))) best = repeat;
    }
    return best;
  }
}
