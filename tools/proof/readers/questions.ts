import stripAnsi from 'strip-ansi';
import { FILE_HEADING } from '../../../src/strategies/high-density/shapers/headings.ts';
import type { FormedResult, Former } from './shaped-request.ts';

/** A question about a result, with its answer. Both are made from the original alone, of lines that the form does not show as they were. */
export interface Question {
  readonly id: string;
  readonly about: Former;
  /** True where the answer would be the old text of an edit, or the place of a match. */
  readonly isExact: boolean;
  /** True where blanks at the start of a line count too. */
  readonly isIndented?: true;
  readonly question: string;
  readonly answer: string;
}

type Asking = (result: FormedResult, isShown: (line: string) => boolean) => Omit<Question, 'id' | 'about'> | undefined;

/** A line without numbers or signs before it, and colours. */
const wordsOf = (line: string): string =>
  stripAnsi(line)
    .replace(/^\s*L?\d+(?:→|\t|: ?| ?\| ?)/, '')
    .replace(/^[-+ ]/, '')
    .trim();

/** A line as a tool numbers it: an edit needs all that is behind the tab. */
const NUMBERED = /^ *(\d+)\t(.*)$/;

/** Long enough to be one line alone, short enough to be written down. */
const [LEAST, MOST] = [12, 140] as const;

/** Lines of a result that the form has not, whose words stand in no other line of the original. */
function hiddenLines(result: FormedResult): readonly { line: string; at: number }[] {
  const shown = new Set(result.form.split('\n'));
  const lines = result.original.split('\n');
  return lines.flatMap((line, at) =>
    !shown.has(line) && isOnce(line.trim(), result) && line.trim().length >= LEAST && line.length <= MOST
      ? [{ line, at }]
      : [],
  );
}

const isOnce = (text: string, { original }: FormedResult): boolean =>
  original.indexOf(text) === original.lastIndexOf(text);

/** One of these, the same for the same result. */
const pickOf = <One>(all: readonly One[], { number }: FormedResult): One | undefined =>
  all[(number * 7919) % all.length];

const asked: Readonly<Record<string, Asking>> = {
  nextLine(result, isShown) {
    const lines = result.original.split('\n');
    const hidden = hiddenLines(result).filter(({ line }) => isShown(line));
    const known = new Set(hidden.map(({ at }) => at));
    const found = pickOf(
      hidden.filter(({ at }) => known.has(at + 1)),
      result,
    );
    if (found === undefined) return undefined;
    const question = `Which line follows directly after the line \`${found.line.trim()}\` in result ${result.number}?`;
    return { isExact: false, question, answer: lines[found.at + 1]! };
  },
  oldText(result, isShown) {
    const lines = result.original.split('\n');
    const known = new Set(hiddenLines(result).flatMap(({ line, at }) => (isShown(line) ? at : [])));
    const found = pickOf(
      [...known].filter((at) => known.has(at + 1) && known.has(at + 2)),
      result,
    );
    if (found === undefined) return undefined;
    const question = `An edit must replace three lines of what result ${result.number} shows, from the line \`${lines[found]!.trim()}\` on. Give these three lines, exactly, without line numbers of the tool and without signs of a diff.`;
    return { isExact: true, question, answer: lines.slice(found, found + 3).join('\n') };
  },
  match(result) {
    const found = pickOf(
      hiddenLines(result).flatMap(({ line }) => FILE_HEADING.divide(line) ?? []),
      result,
    );
    const [, place, text] = /^(\d+)[:-](.*)$/s.exec(found?.rest ?? '') ?? [];
    if (found === undefined || text === undefined || text.trim().length < LEAST) return undefined;
    if (!isOnce(text.trim(), result)) return undefined;
    const question = `Result ${result.number} lists matches. In which file, and on which line of it, is \`${text.trim()}\`? Answer as path:line.`;
    return { isExact: true, question, answer: `${found.heading}:${place}` };
  },
  path(result) {
    const found = pickOf(
      hiddenLines(result).filter(({ line }) => /^\S+\/[^/\s]+$/.test(line)),
      result,
    );
    if (found === undefined) return undefined;
    const name = found.line.slice(found.line.lastIndexOf('/') + 1);
    if (result.original.split('\n').filter((line) => line.endsWith(`/${name}`)).length !== 1) return undefined;
    const question = `Result ${result.number} lists files. What is the whole path of the file \`${name}\`, as the command printed it?`;
    return { isExact: true, question, answer: found.line };
  },
  tests({ number, original }) {
    const passed = /\b(\d+) pass(?:ed|ing)?\b/i.exec(original.slice(-3_000))?.[1];
    if (passed === undefined) return undefined;
    const question = `Result ${number} is a run of tests. How many tests failed? Answer with a number.`;
    return { isExact: false, question, answer: '0' };
  },
  lineNumber(result) {
    const found = pickOf(
      hiddenLines(result).flatMap(({ line }) => {
        const [, number, text] = NUMBERED.exec(line) ?? [];
        return number === undefined || text!.trim().length < LEAST || !isOnce(text!.trim(), result)
          ? []
          : { number, text };
      }),
      result,
    );
    if (found === undefined) return undefined;
    const question = `Which line number, as the tool counts them, has the line \`${found.text!.trim()}\` in result ${result.number}? Answer with a number.`;
    return { isExact: true, question, answer: found.number };
  },
  numberedLines(result) {
    const lines = result.original.split('\n').map((line) => NUMBERED.exec(line));
    const known = new Set(hiddenLines(result).map(({ at }) => at));
    const isNext = (at: number): boolean => Number(lines[at]?.[1]) === Number(lines[at - 1]?.[1]) + 1;
    const first = pickOf(
      [...known].filter((at) => lines[at] && isNext(at + 1) && isNext(at + 2) && known.has(at + 2)),
      result,
    );
    if (first === undefined) return undefined;
    const [from, to] = [lines[first]![1], lines[first + 2]![1]];
    const question = `Quote the lines ${from} to ${to}, as the tool counts them, of the file that result ${result.number} shows: three lines, exactly as an edit must have them, with their indentation (tabs as tabs) and without line numbers of the tool.`;
    const answer = lines
      .slice(first, first + 3)
      .map((line) => line![2])
      .join('\n');
    return { isExact: true, isIndented: true, question, answer };
  },
  success({ number, original }) {
    if (!/exited with code 0|Exit code: 0|updated|created|Success/.test(original.slice(0, 600))) return undefined;
    const question = `Did the call with result ${number} succeed? Answer yes or no.`;
    return { isExact: false, question, answer: 'yes' };
  },
};

const ASKED: Readonly<Record<Former, readonly Asking[]>> = {
  repeatedLines: [asked['oldText']!, asked['nextLine']!],
  matchesByFile: [asked['match']!],
  pathsByFolder: [asked['path']!],
  passingTests: [asked['tests']!],
  agentEchoes: [asked['success']!],
  terminalNoise: [asked['nextLine']!],
  tenthLineNumbers: [asked['lineNumber']!, asked['numberedLines']!],
};

/** A question about what one of the shapers of a result changed; undefined where none can be asked. `shaped`: the request, which says some lines elsewhere. */
export function questionAbout(result: FormedResult, about: Former, shaped: string): Question | undefined {
  const ways = ASKED[about];
  const question = ways[result.number % ways.length]!(result, (line) => shaped.includes(wordsOf(line)));
  return question && { id: `${result.number}-${about}`, about, ...question };
}
