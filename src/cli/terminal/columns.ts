import stringWidth from 'string-width';

/** Letters, digits and signs of our own sentences: all are one column wide. For others the library first compiles large tables. */
const NARROW = /^[\x20-\x7e·×–—…−]*$/;

/** Columns that a text takes on a terminal: 2 for wide characters, 0 for combining characters and colours. */
export const widthOf = (text: string): number => (NARROW.test(text) ? text.length : stringWidth(text));

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** `text` in at most `columns` columns, with `…` in place of its end. Plain text only, no colours. */
export function cutEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** `text` in at most `columns` columns, with `…` in place of its start: the name of a file is at its end. */
export function cutStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of [...SEGMENTS.segment(text)].reverse()) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

/** `text` padded to `columns` columns; longer text is unchanged. */
export function padded(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** A blank where a line may break: not between a number and its unit. */
const BREAK = /(?<!\d) | (?!(?:h|min|s|ms|[kMG]?B)(?![\p{L}\d]))/u;

/** `text` in lines of at most `columns` columns, broken at blanks. A longer word gets a line of its own. */
export function wrapped(text: string, columns: number): string {
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** `text` in lines of at most `columns` columns, the first one after `start` and the others below its text. */
export function hanging(start: string, text: string, columns: number): string {
  const indent = ' '.repeat(widthOf(start));
  return start + wrapped(text, columns - indent.length).replaceAll('\n', `\n${indent}`);
}
