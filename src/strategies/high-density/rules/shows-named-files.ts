import type { ToolCallBlock } from '../../../content/content.ts';
import { jsonText } from '../../../content/json-text.ts';
import { hasInOrder } from '../../../content/lines/in-order.ts';

/** What a call prints of files: `runs` of lines, by how many commands, which an edit may replace, or the lines that a pattern `matches`. */
interface ShownParts {
  readonly runs: number;
  readonly matches: boolean;
}

/** Programs that print lines of a file, and a path with an ending after them. */
const PRINTS_RUNS = /\b(?:cat|nl|head|tail|sed -n)\b/;
const PRINTS_MATCHES = /\b(?:grep|rg)\b/;
const PATH = /\s["']?[\w./-]+\.[a-z]{1,5}\b/;
/** Matches with lines around them. */
const WITH_CONTEXT = /\s-\w*[ABC]\s*\d|\s--(?:context|after-context|before-context)\b/;
const RECURSIVE = /grep\s+-\w*[rR]/;
/** Git's lines of a file, as they are, were, or differ. */
const GIT = /\bgit\b/;
const GIT_PRINTS = /\s(?:diff|show|blame)\b/;
const GIT_PATH = /[\s:][\w./-]+\.[a-z]{1,5}\b/;
const GIT_COUNTS = /\s--(?:stat|shortstat|numstat|name-only|name-status|summary|quiet)\b/;
/** Scripts in quotes or here-documents, which may have separators in them. */
const AWK = /\bawk\b/;
const AWK_PATH = /^\s+[\w./-]+\.[a-z]{1,5}\b/;
const SCRIPT_OPENS = /\b(?:open|Path|readFileSync)\(\s*r?\\?["'][\w./\\-]+\.[a-z]{1,5}\\?["']/g;
const SCRIPT_PRINTS = /(?:\b|\\n)(?:print|write|log)\(/;
/** A searching tool that is given a file, not a folder. */
const SEARCHED_FILE = /^(?:grep|search)\b.*"path":"[^"]*\.[a-z]{1,5}"/i;
/** Between the commands of a script, as JSON. A pipe does not count, because its start names the files. */
const SEPARATOR = /;|&&|\|\||\\n/;
/** A longer call is a script, and its start says enough. */
const MAX_UNITS = 2000;

/**
 * What a call prints of files that it names, but not so that they are known: runs of lines by `git diff src/a.ts`, by
 * `sed -n 1,20p src/a.ts` where the folder of the shell is not known, or by a script that opens a file; matches by
 * `grep -n word src/a.ts`. Linear in the start of the call.
 */
export function shownOfNamedFiles({ name, parameters }: ToolCallBlock): ShownParts {
  const text = `${name} ${[...jsonText(parameters)].join('')}`.slice(0, MAX_UNITS);
  const commands = text.split(SEPARATOR);
  const opened = SCRIPT_PRINTS.test(text) ? count(text, SCRIPT_OPENS) : 0;
  return {
    runs: commands.filter(printsRuns).length + awkPrints(text) + opened,
    matches: SEARCHED_FILE.test(text) || commands.some(printsMatches),
  };
}

function printsRuns(command: string): boolean {
  if (gitPrints(command)) return !GIT_COUNTS.test(command);
  // What stands behind `>` is written.
  const prints = command.split('>').some((part) => hasInOrder(part, PRINTS_RUNS, PATH));
  return prints || (printsMatches(command) && WITH_CONTEXT.test(command));
}

function gitPrints(command: string): boolean {
  const programs = command.split('|');
  const git = programs.findIndex((program) => hasInOrder(program, GIT, GIT_PRINTS));
  return git !== -1 && hasInOrder(programs.slice(git).join('|'), GIT_PRINTS, GIT_PATH);
}

/** How many scripts of awk in single quotes are given a file. */
function awkPrints(text: string): number {
  const parts = text.split("'");
  return parts.filter((part, at) => AWK.test(part) && AWK_PATH.test(parts[at + 2] ?? '')).length;
}

const printsMatches = (command: string): boolean =>
  hasInOrder(command, PRINTS_MATCHES, PATH) && !RECURSIVE.test(command);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
