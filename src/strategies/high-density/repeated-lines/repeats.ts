import type { TextLines } from './text-lines.ts';

/** Text that the model still sees. */
export interface Source {
  readonly lines: TextLines;
}

/** The lines `first` to `last` of a text, counted from 0, stand in `source` from its line `from` on. */
export interface Repeat<From extends Source> {
  readonly first: number;
  readonly last: number;
  readonly source: From;
  readonly from: number;
}

/** Places of a line that are tried: a line that stands everywhere says little. */
const MOST_PLACES = 20;

/**
 * The runs of at least `leastLines` lines that stand word for word in a source, from the start on, each the longest that
 * begins there; of equally long ones that of the first source. Linear in the lines of all, but for lines that repeat.
 */
export function repeatsIn<From extends Source>(
  text: TextLines,
  sources: readonly From[],
  leastLines: number,
): Repeat<From>[] {
  const wanted = new Set(text.landmarks.map((line) => text.hashes[line]!));
  const places = new Map<number, { readonly source: From; readonly line: number }[]>();
  for (const source of sources) {
    for (const line of source.lines.landmarks) {
      const hash = source.lines.hashes[line]!;
      if (!wanted.has(hash)) continue;
      const known = places.get(hash);
      if (known === undefined) places.set(hash, [{ source, line }]);
      else if (known.length < MOST_PLACES) known.push({ source, line });
    }
  }
  const repeats: Repeat<From>[] = [];
  for (const first of text.landmarks) {
    if (first <= (repeats.at(-1)?.last ?? -1)) continue;
    let longest = leastLines - 1;
    let found: Repeat<From> | undefined;
    for (const { source, line } of places.get(text.hashes[first]!) ?? []) {
      const length = sharedLines(text, first, { source, line });
      if (length <= longest) continue;
      longest = length;
      found = { first, last: first + length - 1, source, from: line };
    }
    if (found !== undefined) repeats.push(found);
  }
  return repeats;
}

function sharedLines(text: TextLines, first: number, { source, line }: { source: Source; line: number }): number {
  const other = source.lines.hashes;
  let length = 0;
  while (first + length < text.hashes.length && text.hashes[first + length] === other[line + length]) length++;
  return length;
}
