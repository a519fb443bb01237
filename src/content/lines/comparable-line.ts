/** Line numbers that tools write before the lines of a file: `12→`, `12\t`, `12: `, `12|`, `L12: `, `00012| `. */
const LINE_NUMBER = /^\s*L?\d+(?:→|\t|:|\s?\|)\s?/;

/** A shorter line, such as `}` or `});`, occurs everywhere and identifies nothing. */
export const MIN_LINE_CHARS = 4;

/** A line in the form in which lines are compared: trimmed, without a line number; '' if it is too short to compare. */
export function comparableLine(line: string): string {
  const trimmed = line.trim();
  if (trimmed.length < MIN_LINE_CHARS) return '';
  const first = trimmed.charCodeAt(0);
  const mayBeNumbered = (first >= 48 && first <= 57) || first === 76;
  const plain = mayBeNumbered ? trimmed.replace(LINE_NUMBER, '').trim() : trimmed;
  return plain.length < MIN_LINE_CHARS ? '' : plain;
}

/** The comparable lines of a text that have at least `leastChars` characters, in order. */
export function comparableLines(text: string, { leastChars = MIN_LINE_CHARS } = {}): string[] {
  const longLines = text.split('\n').filter((line) => line.length >= leastChars);
  return longLines.map(comparableLine).filter((line) => line.length >= leastChars);
}
