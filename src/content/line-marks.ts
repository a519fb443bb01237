/** Numbers that tools put before the lines of a file: `12→`, `12\t`, `12: `, `12|`, `L12: `, `00012| `. */
const LINE_NUMBER = /^\s*L?\d+(?:→|\t|:|\s?\|)\s?/;

/** A shorter line, such as `}` or `});`, stands everywhere and says nothing. */
const LEAST_CHARS = 4;

/** A line as it is compared: without a line number and blanks at both ends; '' for one too short to say anything. */
export function comparableLine(line: string): string {
  const trimmed = line.trim();
  if (trimmed.length < LEAST_CHARS) return '';
  const first = trimmed.charCodeAt(0);
  const mayBeNumbered = (first >= 48 && first <= 57) || first === 76;
  const plain = mayBeNumbered ? trimmed.replace(LINE_NUMBER, '').trim() : trimmed;
  return plain.length < LEAST_CHARS ? '' : plain;
}

/** The comparable lines of a text, in order, too short ones left out. */
export function comparableLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = comparableLine(text.slice(start, end));
    if (line !== '') lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** A number that stands for a line: equal lines have equal ones, two others the same once in four milliards. Source: FNV-1a. */
export function lineMark(line: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** The marks of the comparable lines of these texts, in order. */
export function lineMarks(texts: readonly string[]): number[] {
  return texts.flatMap((text) => comparableLines(text).map(lineMark));
}
