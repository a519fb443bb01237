/** An answer that is longer fills a model's context, and agents cut it themselves. */
const MAX_CHARACTERS = 40_000;

/** Lines of a text, numbered from one. */
export interface LineRange {
  readonly text: string;
  readonly first: number;
  /** The last line that is in `text`. */
  readonly last: number;
  readonly allLines: number;
  /** The length of the last line, if only its start fits. */
  readonly cutLineCharacters?: number;
}

/**
 * The asked lines of a text, as many as fit.
 * @param asked `12`, `12-40`, or `12-` to the end; undefined: all lines
 * @returns undefined if `asked` is no range of this text
 */
export function lineRange(text: string, asked: string | undefined): LineRange | undefined {
  const lines = text.split('\n');
  const [, start = '', dash, end = ''] = /^(\d+)(?:\s*(-)\s*(\d*))?$/.exec((asked ?? '1-').trim()) ?? [];
  const first = Number(start);
  const asLast = dash === undefined ? start : end || lines.length;
  const wanted = Math.min(Number(asLast), lines.length);
  if (first < 1 || first > wanted) return undefined;
  let last = first - 1;
  for (let length = 0; last < wanted; last++) {
    length += lines[last]!.length + 1;
    if (length > MAX_CHARACTERS + 1) break;
  }
  const facts = { first, allLines: lines.length };
  const long = lines[first - 1]!;
  if (last < first)
    return { ...facts, text: long.slice(0, MAX_CHARACTERS), last: first, cutLineCharacters: long.length };
  return { ...facts, text: lines.slice(first - 1, last).join('\n'), last };
}
