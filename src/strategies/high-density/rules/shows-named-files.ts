import type { ToolCallBlock } from '../../../content/content.ts';
import { jsonText } from '../../../content/json-text.ts';

/** What a call prints of files: `runs` of lines, by how many commands, which an edit may replace, or the lines that a pattern `matches`. */
interface ShownParts {
  readonly runs: number;
  readonly matches: boolean;
}

/** A program that prints lines of a file, and a path with an ending after it. What stands behind `>` is written. */
const PRINTS_RUNS = /\b(?:cat|nl|head|tail|sed -n)\b[^>]*\s["']?[\w./-]+\.[a-z]{1,5}\b/;
const PRINTS_MATCHES = /\b(?:grep|rg)\b.*\s["']?[\w./-]+\.[a-z]{1,5}\b/;
/** Matches with lines around them. */
const WITH_CONTEXT = /\s-\w*[ABC]\s*\d|\s--(?:context|after-context|before-context)\b/;
const RECURSIVE = /grep\s+-\w*[rR]/;
/** Git's lines of a file, as they are, were, or differ. */
const GIT_PRINTS = /\bgit\b[^|]*\s(?:diff|show|blame)\b.*[\s:][\w./-]+\.[a-z]{1,5}\b/;
const GIT_COUNTS = /\s--(?:stat|shortstat|numstat|name-only|name-status|summary|quiet)\b/;
/** Scripts in quotes or here-documents, which may have separators in them. */
const AWK_PRINTS = /\bawk\b[^']*'[^']*'\s+[\w./-]+\.[a-z]{1,5}\b/g;
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
    runs: commands.filter(printsRuns).length + count(text, AWK_PRINTS) + opened,
    matches: SEARCHED_FILE.test(text) || commands.some(printsMatches),
  };
}

function printsRuns(command: string): boolean {
  if (GIT_PRINTS.test(command)) return !GIT_COUNTS.test(command);
  return PRINTS_RUNS.test(command) || (printsMatches(command) && WITH_CONTEXT.test(command));
}

const printsMatches = (command: string): boolean => PRINTS_MATCHES.test(command) && !RECURSIVE.test(command);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
