/** Lines with a heading that they share, or a line without one. */
interface Headed {
  readonly heading: string;
  readonly rest: string;
}

/** How lines are divided into a heading and the rest, and put together again. */
export interface Heading {
  /** `undefined` for a line that stays whole. */
  divide(line: string): Headed | undefined;
  join(headed: Headed): string;
  /** The line with a heading, and whether a line is one. */
  line(heading: string): string;
  headingOf(line: string): string | undefined;
}

/** A shorter group is not worth a heading. */
const MIN_LINES = 2;

/**
 * A text in which consecutive lines with the same heading stand below it, up to a blank line; the same text if that is not shorter, or if the
 * text cannot be had from it again. Linear.
 */
export function withHeadings(text: string, how: Heading): string {
  const lines = text.split('\n');
  const divided = lines.map((line) => how.divide(line));
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const heading = divided[at]?.heading;
    let end = at + 1;
    while (heading !== undefined && divided[end]?.heading === heading) end++;
    if (end - at >= MIN_LINES) out.push(how.line(heading!), ...divided.slice(at, end).map((line) => line!.rest));
    else out.push(...lines.slice(at, end));
    // A heading holds up to a blank line; a line that looks like one has nothing below it.
    if (end < lines.length && (end - at >= MIN_LINES || how.headingOf(lines[at]!) !== undefined)) out.push('');
    at = end;
  }
  const shaped = out.join('\n');
  return shaped.length < text.length && withoutHeadings(shaped, how) === text ? shaped : text;
}

/** The text from which `withHeadings` made this one. Linear. */
export function withoutHeadings(shaped: string, how: Heading): string {
  const lines = shaped.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const heading = how.headingOf(lines[at]!);
    if (heading === undefined || lines.length - at === 1 || lines[at + 1] === '') out.push(lines[at]!);
    if (heading === undefined) continue;
    while (++at < lines.length && lines[at] !== '') out.push(how.join({ heading, rest: lines[at]! }));
  }
  return out.join('\n');
}
