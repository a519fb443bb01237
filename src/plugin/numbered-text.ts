/** A line of a text with numbers; a marker has none. */
const NUMBERED = /^(\d+)\t/;

const numberOf = (line: string): number | undefined => {
  const [, digits] = NUMBERED.exec(line) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** The lines of a file as Claude Code shows them. */
export const numbered = (content: string, startLine: number): string =>
  content
    .split('\n')
    .map((line, at) => `${startLine + at}\t${line}`)
    .join('\n');

/** A form of a text with numbers, in which markers are only at the start and at the end: after another one all numbers would be wrong. Linear. */
export function fittedToNumbers(form: string, text: string, startLine: number): string {
  const lines = form.split('\n');
  const isKept = lines.map((line) => numberOf(line) !== undefined);
  const first = isKept.indexOf(true);
  const last = isKept.lastIndexOf(true);
  if (first === -1 || isKept.lastIndexOf(false, last) < first) return form;
  const whole = text.split('\n');
  const from = numberOf(lines[first]!)! - startLine;
  const to = numberOf(lines[last]!)! - startLine;
  return [...lines.slice(0, first), ...whole.slice(from, to + 1), ...lines.slice(last + 1)].join('\n');
}

/** The fields of a file whose lines Claude Code numbers as those of a form that fits. */
export function fileOfNumbered(form: string, startLine: number): object {
  const lines = form.split('\n');
  const first = lines.findIndex((line) => numberOf(line) !== undefined);
  return {
    content: lines.map((line) => line.replace(NUMBERED, '')).join('\n'),
    numLines: lines.length,
    startLine: first === -1 ? startLine : numberOf(lines[first]!)! - first,
  };
}
