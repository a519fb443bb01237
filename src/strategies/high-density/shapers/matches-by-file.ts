import { type Heading, withHeadings } from './headings.ts';
import { printsOnly, type Shaper } from './shaper.ts';

/** `path:12:text`; the path has a slash or an ending. For a line beside a match `path-12-text`: a path may have numbers, so it has an ending. */
const MATCH = /^((?:[A-Za-z]:)?[^\s:-][^:\n]{0,200}?):(\d+:.*)$/s;
const BESIDE = /^((?:[A-Za-z]:)?[^\s:-][^:\n]{0,200}?\.[A-Za-z]\w*)-(\d+-.*)$/s;
const IS_PATH = /[\\/]|\.\w+$/;

/** As ripgrep prints with `--heading`: the path once, then `12:text`, and a blank line after the last. */
export const FILE_HEADING: Heading = {
  divide(line) {
    const [, heading, rest] = BESIDE.exec(line) ?? MATCH.exec(line) ?? [];
    return heading === undefined || rest === undefined || !IS_PATH.test(heading) ? undefined : { heading, rest };
  },
  join: ({ heading, rest }) => `${heading}${/^\d+([:-])/.exec(rest)?.[1] ?? ':'}${rest}`,
  line: (heading) => heading,
  headingOf: (line) => (IS_PATH.test(line) && /^(?:[A-Za-z]:)?[^\s:-][^:\t]*$/.test(line) ? line : undefined),
};

/** Lines that matched stand below their file. */
export const matchesByFile: Shaper = {
  name: 'matchesByFile',
  isLossy: false,
  appliesTo: (about) => about.role === 'search' || printsOnly(about, 'matches', 'paths'),
  shape: (text) => withHeadings(text, FILE_HEADING),
};
