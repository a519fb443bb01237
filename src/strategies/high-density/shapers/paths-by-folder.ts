import { type Heading, withHeadings } from './headings.ts';
import { printsOnly, type Shaper } from './shaper.ts';

/** A line that is a path, and no more. */
const PATH = /^((?:[A-Za-z]:)?[^\s:*?"<>|][^:*?"<>|\n]{0,300}[\\/])([^\\/:\n]+[\\/]?)$/;

/** As `ls -R` prints: the folder with a colon, then the names in it, and a blank line after the last. */
export const FOLDER_HEADING: Heading = {
  divide(line) {
    const [, heading, rest] = PATH.exec(line) ?? [];
    return heading === undefined || rest === undefined || /\s$/.test(line) ? undefined : { heading, rest };
  },
  join: ({ heading, rest }) => `${heading}${rest}`,
  line: (heading) => `${heading}:`,
  headingOf: (line) => (/[\\/]:$/.test(line) ? line.slice(0, -1) : undefined),
};

/** Paths stand below their folder. */
export const pathsByFolder: Shaper = {
  name: 'pathsByFolder',
  isLossy: false,
  appliesTo: (about) => about.role === 'search' || printsOnly(about, 'matches', 'paths'),
  shape: (text) => withHeadings(text, FOLDER_HEADING),
};
