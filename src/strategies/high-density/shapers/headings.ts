import { append } from '../../../content/append.ts';
import { printsOnly, type Shaper } from './shaper.ts';

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
    if (end - at >= MIN_LINES) out.push(how.line(heading!));
    append(out, end - at >= MIN_LINES ? divided.slice(at, end).map((line) => line!.rest) : lines.slice(at, end));
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
