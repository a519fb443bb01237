/** A marker as it was written into a file, in brackets that no text has or without words of its own. */
const WRITTEN = /⟦density: [^⟦⟧]+⟧|\[Result pruned — re-run tool to retrieve\]/;
/** The words of a marker in square brackets. */
const WORDS = /, removed\b|as (?:shown|written) above by|left out\b|word for word the result/;

/** A line of a text with a marker in it. */
export interface MarkerLine {
  /** From 1. */
  readonly line: number;
  readonly marker: string;
}

/** The lines of a text that have a marker. Linear. */
export const markerLines = (text: string): readonly MarkerLine[] =>
  /density: |Result pruned/.test(text)
    ? text.split('\n').flatMap((one, at) => {
        const marker = WRITTEN.exec(one)?.[0] ?? inSquareBrackets(one);
        return marker === undefined ? [] : { line: at + 1, marker };
      })
    : [];

function inSquareBrackets(line: string): string | undefined {
  const start = line.indexOf('[density: ');
  const marker = start === -1 ? '' : line.slice(start, line.lastIndexOf(']') + 1);
  return WORDS.test(marker) ? marker : undefined;
}
