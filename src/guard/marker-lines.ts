/** A marker as it was written into a file: in unusual brackets, or in square ones with the words of one. */
const WRITTEN =
  /⟦density: [^⟧\n]+⟧|\[density: [^\n]*(?:, removed\b|as (?:shown|written) above by|left out\b|word for word the result)[^\n]*\]|\[Result pruned — re-run tool to retrieve\]/;

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
        const marker = WRITTEN.exec(one)?.[0];
        return marker === undefined ? [] : { line: at + 1, marker };
      })
    : [];
