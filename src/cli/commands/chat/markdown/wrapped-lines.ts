import { widthOf, wrapped } from '../../../terminal/columns.ts';

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** A character, or a colour, which must not be split. Source: ECMA-48, control sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour begins with.
const COLOUR = /(\u001b\[[\d;]*m)/;

/** A long word in parts of at most `columns`. A colour is never split. */
function splitWord(word: string, columns: number): string[] {
  const parts = [''];
  let width = 0;
  for (const part of word.split(COLOUR)) {
    const segments = COLOUR.test(part) ? [part] : [...SEGMENTS.segment(part)].map(({ segment }) => segment);
    for (const segment of segments) {
      const more = widthOf(segment);
      if (width > 0 && width + more > columns) {
        parts.push('');
        width = 0;
      }
      parts[parts.length - 1] += segment;
      width += more;
    }
  }
  return parts;
}

/** Text in lines of at most `columns`, broken at blanks, and inside of words that are longer than a line. */
export function wrappedLines(text: string, columns: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= columns ? [line] : wrapped(line, columns).split('\n')))
    .flatMap((line) => (widthOf(line) <= columns ? [line] : splitWord(line, columns)));
}
