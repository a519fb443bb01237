import { type Heading, withHeadings } from './headings.ts';
import { printsOnly, type Shaper } from './shaper.ts';

/** `path:12:text`, or `path-12-text` for a line beside a match. The path has a slash or an ending. */
const MATCH = /^((?:[A-Za-z]:)?[^\s:][^:\n]{0,200}?)([:-]\d+[:-].*)$/s;
const IS_PATH = /[\\/]|\.\w+$/;
const REST = /^[:-](\d+)([:-])/;

/** As ripgrep prints with `--heading`: the path once, then `12:text`, and a blank line after the last. */
export const FILE_HEADING: Heading = {
  divide(line) {
    const [, path, rest] = MATCH.exec(line) ?? [];
    if (path === undefined || rest === undefined || !IS_PATH.test(path)) return undefined;
    const [, , sign] = REST.exec(rest)!;
    return rest[0] === sign ? { heading: path, rest: rest.slice(1) } : undefined;
  },
  join: ({ heading, rest }) => `${heading}${/^\d+([:-])/.exec(rest)?.[1] ?? ':'}${rest}`,
  line: (heading) => heading,
  headingOf: (line) => (IS_PATH.test(line) && !/[:\t]|^\s|^-/.test(line) ? line : undefined),
};

/** Lines that matched stand below their file. */
export const matchesByFile: Shaper = {
  name: 'matchesByFile',
  isLossy: false,
  appliesTo: (about) => about.role === 'search' || printsOnly(about, 'matches', 'paths'),
  shape: (text) => withHeadings(text, FILE_HEADING),
};
